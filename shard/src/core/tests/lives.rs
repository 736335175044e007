//! What the game tells of its people, its creatures and itself.

use super::bench::{Bench, spawn};
use serde_json::{Value, json};

#[tokio::test]
async fn a_champion_that_falls_is_told_with_its_altar_its_region_and_everybody_who_dealt() {
    let mut bench = Bench::new();
    bench.hello();
    let altars = bench.console("altar list")["altars"].as_array().unwrap().clone();
    let altar = altars.iter().find(|altar| altar["type"] == "Abyss").unwrap();
    let boss = bench.console(&format!("altar raise {}", altar["serial"].as_str().unwrap()))["boss"].as_str().unwrap().to_owned();
    let up = bench.reports("champ.update").remove(0);
    assert_eq!((&up["bossUp"], &up["type"], &up["region"]), (&json!(true), &json!("Abyss"), &json!("Britain Graveyard")));
    let serials = ["Darrow", "Tester"].map(|name| bench.player(name, "britain-graveyard"));
    for (name, strength) in [("Darrow", 120), ("Tester", 200), ("Tester", 40)] {
        assert_eq!(bench.console(&format!("player fight {name} {boss} {strength}"))["ok"], true);
        bench.console("clock +130");
    }
    bench.said();
    bench.console(&format!("player fight Tester {boss} 100000"));
    let said = bench.said();
    let told = |kind: &str| said.iter().find(|frame| frame["kind"] == kind).unwrap().clone();
    let fell = told("champ.boss.killed");
    assert_eq!(
        (&fell["category"], &fell["boss"], &fell["region"]),
        (&json!("champion"), &json!("Semidar"), &json!("Britain Graveyard"))
    );
    assert_eq!((&fell["serial"], &fell["type"], &fell["level"]), (&altar["serial"], &json!("Abyss"), &json!(0)));
    let table: Vec<(&str, u64)> = fell["damagers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["name"].as_str().unwrap(), row["damage"].as_u64().unwrap()))
        .collect();
    assert_eq!(table, [("Tester", 100_240), ("Darrow", 120)]);
    assert_eq!((&fell["killer"]["serial"], &fell["killer"]["acct"]), (&json!(serials[1]), &json!("tester")));
    assert_eq!(told("champ.update")["bossUp"], false);
    assert_eq!(told("mob.killed")["serial"], fell["bossSerial"]);
}

#[tokio::test]
async fn the_table_has_twenty_rows_and_the_count_everybody() {
    let mut bench = Bench::new();
    bench.hello();
    let altar = bench.console("altar list")["altars"][0]["serial"].as_str().unwrap().to_owned();
    let boss = bench.console(&format!("altar raise {altar}"))["boss"].as_str().unwrap().to_owned();
    for letter in 'a'..='y' {
        bench.player(&format!("Z{letter}"), "britain-graveyard");
        bench.console(&format!("player fight Z{letter} {boss} 10"));
    }
    bench.said();
    bench.console(&format!("creature kill {boss}"));
    let fell = bench.reports("champ.boss.killed").remove(0);
    assert_eq!((fell["damagers"].as_array().unwrap().len(), &fell["damagerCount"]), (20, &json!(25)));
    assert!(fell.get("killer").is_none());
}

#[tokio::test]
async fn a_boss_of_nobodys_has_no_altar_and_open_country_no_region() {
    let mut bench = Bench::new();
    bench.hello();
    bench.console("boss kill yew-orchard");
    let fell = bench.reports("champ.boss.killed").remove(0);
    assert_eq!((&fell["region"], &fell["boss"], fell.get("serial")), (&json!("Yew Orchard"), &json!("lich"), None));
    let altars = bench.console("altar list")["altars"].as_array().unwrap().clone();
    let vermin = altars.iter().find(|altar| altar["type"] == "Vermin Horde").unwrap()["serial"].as_str().unwrap();
    let boss = bench.console(&format!("altar raise {vermin}"))["boss"].as_str().unwrap().to_owned();
    bench.said();
    bench.console(&format!("creature kill {boss}"));
    assert_eq!(bench.reports("champ.boss.killed").remove(0).get("region"), None, "left out, not empty");
}

#[tokio::test]
async fn arrivals_deaths_and_presence_are_told_once() {
    let mut bench = Bench::new();
    bench.hello();
    let serial = bench.player("Darrow", "yew-orchard");
    let arrived = bench.reports("region.enter").remove(0);
    assert_eq!(
        (&arrived["from"], &arrived["to"], &arrived["actor"]["serial"]),
        (&json!("Britain"), &json!("Yew Orchard"), &json!(serial))
    );
    bench.console("player walk Darrow Felucca 541 993");
    assert_eq!(bench.reports("region.enter"), [Value::Null; 0], "it was there already");
    bench.console("clock +2");
    bench.tick();
    let present = bench.reports("presence.online").remove(0);
    assert_eq!((&present["count"], &present["byRegion"]), (&json!(1), &json!({"Yew Orchard": 1})));
    bench.console("clock +2");
    bench.tick();
    assert_eq!(bench.reports("presence.online"), [Value::Null; 0], "nothing has changed");
    bench.console("player die Darrow");
    assert_eq!(bench.reports("player.death").remove(0)["region"], "Yew Orchard");
    assert_eq!(bench.console("player die Darrow")["ok"], false);
    bench.console("player logout Darrow");
    bench.console("clock +2");
    bench.tick();
    assert_eq!(bench.reports("presence.online").remove(0)["count"], 0);
    assert_eq!(bench.console("player walk Darrow britain-bank")["ok"], false, "nobody plays it");
}

#[tokio::test]
async fn saves_and_borrowed_values_are_told_and_every_report_has_an_id_of_its_own() {
    let mut bench = Bench::new();
    bench.hello();
    bench.console("save");
    let applied = super::bench::apply("a", "77", 1_000);
    bench.send_all(applied.clone());
    bench.send_all(spawn("k", 1));
    bench.console("clock +2");
    let said = bench.said();
    let kinds: Vec<&str> =
        said.iter().filter(|frame| frame.get("reqId").is_none()).map(|frame| frame["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["lease.expired"], "the save and the apply were told before");
    bench.core.say_goodbye();
    bench.core.commit().unwrap();
    assert_eq!(bench.said()[0]["kind"], "server.shutdown");
    bench.hello();
    let all = bench.said();
    let kinds: Vec<&str> = all.iter().map(|frame| frame["kind"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        ["world.save.started", "world.save.finished", "lease.applied", "lease.expired", "server.shutdown"],
        "not known to be kept, told again"
    );
    let ids: std::collections::BTreeSet<&str> = all.iter().map(|frame| frame["eventId"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), all.len());
    assert_eq!((&all[1]["ok"], &all[2]["applied"]), (&json!(true), &json!("1200")));
}

#[tokio::test]
async fn what_an_event_gave_back_leaves_the_baseline_as_it_was_and_a_wipe_leaves_a_new_world() {
    let mut bench = Bench::new();
    let before = bench.console("dump baseline")["world"].clone();
    bench.send(spawn("k", 3));
    bench.send(super::bench::apply("a", "77", 600_000));
    bench.console("season set HarvestFair Active");
    assert_ne!(bench.console("dump baseline")["world"], before);
    bench.send(json!({"kind": "world.despawn", "forKey": "k", "runId": "77", "fence": 0, "ttlMs": 1_000, "idempotencyKey": "u"}));
    bench.send(super::bench::release("b", "77"));
    bench.console("season set HarvestFair Inactive");
    for _ in 0..50 {
        bench.tick();
    }
    assert_eq!(bench.console("dump baseline")["world"], before, "whatever walks is not in it");
    bench.send(spawn("l", 3));
    bench.send(super::bench::apply("c", "77", 600_000));
    assert_eq!(bench.console("wipe")["ok"], true);
    let after = bench.console("dump baseline")["world"].clone();
    assert_eq!((&after["owned"], &after["config"], &after["holds"]), (&json!([]), &before["config"], &json!([])));
    assert_eq!(bench.send(super::bench::release("d", "77"))["held"], false);
    assert_eq!(bench.owned("77"), 0);
}
