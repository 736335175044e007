//! What the game does by a value: what a new character comes to be like, what a blow takes, what a spawner makes, what a season puts up.

use leasehold_module::conformance::Bench;
use serde_json::{Value, json};

use super::{Rig, staff};

/// Who strikes the blows that show how hard they land, and where the champion stands that takes them.
const FIGHTER: &str = "Brannoc";
/// How hard a blow is meant: a champion stands a thousand hits, and is struck a few times.
const STRENGTH: &str = "100";

/// Brings about what is looked at later: somebody who fights, a champion, and spawners that make one at a time, second by second.
pub async fn prepare(rig: &Rig) {
    let tried = || rig.ids().filter(|id| rig.tries(id));
    for spawner in tried().filter_map(staff::spawner_of).chain([rig.unnamed.clone()]) {
        for dial in ["MaxCount", "MinDelay", "MaxDelay"] {
            rig.obeyed(&format!("spawner set {spawner} {dial} 1")).await;
        }
    }
    if tried().any(|id| id == "uo.config.damage") {
        rig.obeyed(&format!("player create {FIGHTER}")).await;
        rig.obeyed(&format!("altar raise {}", altar(rig).await["serial"].as_str().unwrap())).await;
    }
}

/// What shows of the lease's value now.
pub async fn effect(rig: &Rig, lease: &str) -> Value {
    match lease.split('.').collect::<Vec<_>>()[..] {
        [_, "config", "skillcap"] => newcomer(rig).await["skillCap"].clone(),
        [_, "config", "statcap"] => newcomer(rig).await["statCap"].clone(),
        [_, "config", "damage"] => blow(rig).await,
        [_, "spawner", named] => made(rig, named.split_once('@').map_or("", |(_, serial)| serial)).await,
        [_, "spawner", spawner, _] => made(rig, spawner).await,
        [_, "season", season] => rig.console("dump baseline").await["world"]["seasonalPieces"][staff::season_of(season)].clone(),
        _ => panic!("the rig has to learn what shows {lease}"),
    }
}

/// The serial of a spawner without a name, that works.
pub async fn unnamed(rig: &Rig) -> String {
    let dump = rig.console("dump").await;
    let mut all = dump["world"]["spawners"].as_array().unwrap().iter();
    let found = all.find(|spawner| spawner["uniqueId"].is_null() && spawner["dials"]["running"] == true);
    found.unwrap_or_else(|| panic!("every spawner has a name: {dump}"))["serial"].as_str().unwrap().to_owned()
}

async fn newcomer(rig: &Rig) -> Value {
    let name = rig.processes.lock().await.next_name();
    let created = rig.console(&format!("player create {name}")).await;
    assert_eq!(created["ok"], true, "{created}");
    created["player"].clone()
}

async fn altar(rig: &Rig) -> Value {
    rig.console("altar list").await["altars"][0].clone()
}

/// What one blow takes from a champion.
async fn blow(rig: &Rig) -> Value {
    let altar = altar(rig).await;
    let told = |field: &str| altar[field].to_string().replace('"', "");
    rig.obeyed(&format!("player connect {FIGHTER}")).await;
    rig.obeyed(&format!("player walk {FIGHTER} {} {} {}", told("map"), told("x"), told("y"))).await;
    let struck = rig.console(&format!("player fight {FIGHTER} {} {STRENGTH}", told("risen"))).await;
    rig.obeyed(&format!("player logout {FIGHTER}")).await;
    assert_eq!(struck["ok"], true, "{struck}");
    struck["damage"].clone()
}

/// How many creatures a spawner makes, one a look, once it has none: until a look brings none.
async fn made(rig: &Rig, spawner: &str) -> Value {
    let serial = rig.console(&format!("spawner show {spawner}")).await["spawners"][0]["serial"].clone();
    let creatures = rig.console("creatures").await;
    for old in creatures["creatures"].as_array().unwrap().iter().filter(|creature| creature["spawner"] == serial) {
        rig.obeyed(&format!("creature delete {}", old["serial"].as_str().unwrap())).await;
    }
    let mut alive = json!(0);
    loop {
        rig.obeyed("clock +2").await;
        ticked(rig).await;
        let now = rig.console(&format!("spawner show {spawner}")).await["alive"][0].clone();
        if now == alive {
            return now;
        }
        alive = now;
    }
}

/// Ends when the world has ticked after this.
async fn ticked(rig: &Rig) {
    let ticks = || async { rig.console("status").await["ticks"].as_u64().unwrap() };
    let before = ticks().await;
    while ticks().await == before {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}
