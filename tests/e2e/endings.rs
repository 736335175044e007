//! However a run ends, the world is as it was before: values of three planes, creatures, a person, a gate, a decoration, a counting. The
//! game's dump is the judge, and its trail tells that each thing was given back once.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::world::plans::{event, orcs, phase, skill};
use crate::world::{World, step};

/// Seconds beyond the longest claim: an undo's twice fifteen, and a margin of a minute.
const CLAIM: u32 = 100;
/// What the plan takes: three values, four orcs, a person, a gate of two ends, a decoration, a counting.
const TAKEN: usize = 3 + 4 + 5;
const ACTIONS: [&str; 4] = ["uo.npc.place", "uo.gate.open", "uo.decoration.place", "uo.participation.open"];

fn does(key: &str, action: &str, params: &Value) -> Value {
    json!({"key": key, "action": action, "params": params})
}

fn borrows(key: &str, lease: &str, value: &str) -> Value {
    does(key, "core.lease", &json!({"lease": lease, "value": value, "minutes": 120}))
}

/// A plan that takes one of everything, and then waits for what its gate says.
fn fair(slug: &str, gate: &Value, last: Option<Value>) -> Value {
    let place = "yew-orchard";
    let person = json!({"location": place, "name": "Marta", "greeting": "Hail", "keyword1": "raid", "line1": "At dusk"});
    let mut steps = vec![
        skill(),
        borrows("more", "uo.spawner.yew-orchard-1.max_count", "12"),
        borrows("season", "uo.season.harvestfair", "Active"),
        orcs("guards", 4),
        does("marta", "uo.npc.place", &person),
        does("gate", "uo.gate.open", &json!({"location": place, "destination": "britain-bank", "minutes": 240})),
        does("banner", "uo.decoration.place", &json!({"location": place, "item": "banner"})),
        does("count", "uo.participation.open", &json!({"location": place, "radius": 20, "minutes": 120})),
    ];
    steps.extend(last);
    let mut whole = phase("all", &steps, "30m");
    whole["advance"] = gate.clone();
    event(slug, &[whole])
}

async fn dump(world: &World) -> Value {
    world.shard.console("dump baseline").await["world"].clone()
}

/// How a run comes to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Completed,
    Cancelled,
    CancelledWhilePaused,
    CancelledAndCleanedLater,
    RefusedStep,
    TimedOutGate,
    StoppedWithEverything,
    /// The engine dies there in the middle of the teardown.
    DiesTearingDown(&'static str),
}

impl Ending {
    fn status(self) -> &'static str {
        match self {
            Self::Completed | Self::DiesTearingDown(_) => "completed",
            Self::RefusedStep | Self::TimedOutGate => "failed",
            _ => "cancelled",
        }
    }

    fn plan(self) -> Value {
        let after = json!({"after": "30m"});
        match self {
            Self::RefusedStep => {
                let mut horde = orcs("horde", 31);
                horde["onFailure"] = json!("abort");
                fair("ends", &after, Some(horde))
            }
            Self::TimedOutGate => {
                let gate = json!({"on": "uo.region.entered", "timeout": {"after": "30m", "then": "abort"}});
                fair("ends", &gate, None)
            }
            _ => fair("ends", &after, None),
        }
    }

    async fn happens(self, world: &mut World, run: &str) {
        let path = format!("/runs/{run}");
        match self {
            Self::Completed | Self::TimedOutGate => world.advance(30 * 60).await,
            Self::Cancelled => drop(world.engine.api.cancel(run, &json!({})).await.yes()),
            Self::CancelledWhilePaused => {
                world.engine.api.post(&format!("{path}/pause"), &json!({})).await.yes();
                world.engine.api.cancel(run, &json!({})).await.yes();
            }
            Self::CancelledAndCleanedLater => {
                world.engine.api.cancel(run, &json!({"cleanup": false})).await.yes();
                let left = world.ended(run, "cancelled", "incomplete").await;
                assert_eq!(left["unresolvedResources"], json!(TAKEN), "it says so until it is swept");
                world.engine.api.post(&format!("{path}/cleanup"), &json!({})).await.yes();
            }
            // It has ended by itself.
            Self::RefusedStep => {}
            Self::StoppedWithEverything => {
                let stop = json!({"runs": "tear_down", "reason": "the host is on fire"});
                world.engine.api.post("/stop", &stop).await.yes();
            }
            Self::DiesTearingDown(point) => {
                world.advance(30 * 60).await;
                world.engine.died_at(point).await;
                world.engine.restart().await;
                world.advance(CLAIM).await;
            }
        }
    }
}

/// A run that takes one of everything ends that way.
async fn ends(ending: Ending) {
    let mut world = match ending {
        Ending::DiesTearingDown(point) => World::doomed(point).await,
        _ => World::new().await,
    };
    for action in ACTIONS {
        world.engine.api.enable(action, &json!({})).await;
    }
    let before = dump(&world).await;
    let definition = world.engine.api.publish(&ending.plan()).await;
    let run_id = world.engine.api.start(&definition).await;
    let last = if ending == Ending::RefusedStep { ("horde", "failed") } else { ("count", "done") };
    world.run_until(&run_id, "everything is taken", |run| step(run, last.0)["status"] == last.1).await;
    assert!(ending == Ending::RefusedStep || dump(&world).await != before, "the world is another meanwhile");

    ending.happens(&mut world, &run_id).await;
    let run = world.ended(&run_id, ending.status(), "complete").await;
    assert_eq!(run["unresolvedResources"], 0, "{ending:?}");
    assert_eq!(dump(&world).await, before, "{ending:?}: the world differs from what it was");
    let resources = run["resources"].as_array().unwrap();
    assert_eq!(resources.len(), TAKEN, "{resources:#?}");
    for resource in resources {
        assert_eq!(resource["status"], "reverted", "{ending:?}: {resource}");
    }
    each_was_given_back_once(&world, &run_id);
    world.finish().await;
}

/// By the trail of the game: whatever was made was removed once, each value restored once, the counting closed once.
fn each_was_given_back_once(world: &World, run_id: &str) {
    let mut given: BTreeMap<String, usize> = BTreeMap::new();
    let of_the_run = |row: &&crate::world::Row| row.run_id.as_deref() == Some(run_id);
    for row in world.shard.audit().iter().filter(of_the_run) {
        let name = |field: &str| row.detail[field].as_str().unwrap_or_default().to_owned();
        match (row.kind.as_str(), row.outcome.as_str()) {
            ("world.despawn", "applied") => {
                for serial in row.detail["removed"].as_array().unwrap() {
                    *given.entry(serial.as_str().unwrap().to_owned()).or_default() += 1;
                }
            }
            ("lease.release", "restored") => *given.entry(name("lease")).or_default() += 1,
            ("participation.close", "applied") => *given.entry("counting".to_owned()).or_default() += 1,
            _ => {}
        }
    }
    assert_eq!(given.len(), TAKEN, "{given:?}");
    assert!(given.values().all(|times| *times == 1), "{given:?}");
}

macro_rules! endings {
    ($($name:ident: $ending:expr),+ $(,)?) => {
        $(#[tokio::test]
        async fn $name() {
            ends($ending).await;
        })+
    };
}

endings! {
    by_its_plan: Ending::Completed,
    by_a_person: Ending::Cancelled,
    by_a_person_who_has_paused_it: Ending::CancelledWhilePaused,
    by_a_person_and_is_cleaned_later: Ending::CancelledAndCleanedLater,
    by_a_step_that_is_refused: Ending::RefusedStep,
    by_a_gate_that_timed_out: Ending::TimedOutGate,
    with_everything: Ending::StoppedWithEverything,
    while_its_engine_dies_before_the_first_undo: Ending::DiesTearingDown("undo.before"),
    while_its_engine_dies_of_the_answer_to_an_undo: Ending::DiesTearingDown("undo.answered"),
    while_its_engine_dies_with_an_undo_on_record: Ending::DiesTearingDown("append.after.undo_settled"),
}
