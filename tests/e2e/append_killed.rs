//! The engine is killed before and after each append of a run's life. Whichever it was, the run comes to its end, and the
//! world has seen each of its commands take effect once.

use serde_json::Value;

use crate::world::World;
use crate::world::plans::{cue, event, hail, phase, raid, skill};

/// Rounds of a minute of the run's time: its gates, claims that have to run out, and retries.
const ROUNDS: usize = 60;

/// Seconds beyond the longest claim: an undo's twice fifteen, and a margin of a minute.
const CLAIM: u32 = 100;

/// A run that borrows, asks a person, makes things, and has one answer lost on the way; its engine dies at `point`.
async fn lives_through(point: &str) {
    let mut world = World::doomed(point).await;
    world.shard.console("fault drop-ack world.spawn").await;
    let plan = event("mortal", &[phase("first", &[hail(), skill(), cue()], "5m"), phase("second", &[raid()], "5m")]);
    let definition = world.engine.api.publish(&plan).await;
    drop(world.engine.api.try_start(&definition).await);
    let mut died = false;
    if world.runs_of(&definition).await.is_empty() {
        // Nothing of it was recorded, so nothing of it happened: whoever asked asks again.
        world.engine.died_at(point).await;
        died = true;
        world.engine.restart().await;
        world.engine.api.start(&definition).await;
    }
    let run_id = world.runs_of(&definition).await.into_iter().next().expect("the run that was begun");
    for _ in 0..ROUNDS {
        waits(&world, &run_id).await;
        if has_died(&world) {
            world.engine.died_at(point).await;
            died = true;
            world.engine.restart().await;
            world.advance(CLAIM).await;
            continue;
        }
        let run = world.engine.api.glance(&run_id).await;
        if is_over(&run) && died {
            break;
        }
        if run["waitingSteps"] == 1 {
            drop(world.engine.api.try_confirm(&run_id, "cue").await);
        } else {
            world.advance(60).await;
        }
    }
    assert!(died, "{point} was never reached");
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!(run["unresolvedResources"], 0);
    assert_eq!(world.runs_of(&definition).await.len(), 1);
    let once = |kind: &str| world.shard.outcomes(kind).iter().filter(|outcome| *outcome == "applied").count();
    assert_eq!((once("world.spawn"), once("lease.apply")), (1, 1), "each took effect once");
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    world.finish().await;
}

/// Whether the engine has come to the point at which it dies.
fn has_died(world: &World) -> bool {
    world.engine.words().contains("crash point ")
}

fn is_over(run: &Value) -> bool {
    run["status"] == "completed" && run["cleanupStatus"] == "complete"
}

/// Until the engine is dead, or the run waits for time or a person, or is over.
async fn waits(world: &World, run_id: &str) {
    let waits = async || {
        if has_died(world) {
            return true;
        }
        let run = world.engine.api.glance(run_id).await;
        let causes = run["diagnosis"]["causes"].as_array().cloned().unwrap_or_default();
        let under_way = causes.iter().any(|cause| match cause["code"].as_str() {
            Some("step_under_way") => true,
            Some("cleanup_under_way") => cause["until"].is_null(),
            _ => false,
        });
        is_over(&run) || (!under_way && (run["diagnosis"]["nextAt"].is_string() || run["waitingSteps"] == 1))
    };
    world.wait_until("the run waits, or its engine is dead", waits).await;
}

macro_rules! killed {
    ($($name:ident: $point:literal),+ $(,)?) => {
        $(#[tokio::test]
        async fn $name() {
            lives_through($point).await;
        })+
    };
}

killed! {
    before_the_start: "append.before.run_started",
    after_the_start: "append.after.run_started",
    before_a_step_is_done: "append.before.step_done",
    after_a_step_is_done: "append.after.step_done",
    before_a_step_waits_for_a_person: "append.before.step_parked",
    after_a_step_waits_for_a_person: "append.after.step_parked",
    before_a_person_confirms: "append.before.step_confirmed",
    after_a_person_confirms: "append.after.step_confirmed",
    before_an_attempt_has_failed: "append.before.attempt_failed",
    after_an_attempt_has_failed: "append.after.attempt_failed",
    before_a_gate_opens: "append.before.gate_satisfied",
    after_a_gate_opens: "append.after.gate_satisfied",
    before_trouble_is_over: "append.before.run_recovered",
    after_trouble_is_over: "append.after.run_recovered",
    before_the_end: "append.before.run_completed",
    after_the_end: "append.after.run_completed",
    before_an_undo_begins: "append.before.undo_begun",
    after_an_undo_begins: "append.after.undo_begun",
    before_an_undo_is_settled: "append.before.undo_settled",
    after_an_undo_is_settled: "append.after.undo_settled",
    before_everything_is_given_back: "append.before.cleanup_completed",
    after_everything_is_given_back: "append.after.cleanup_completed",
}
