//! What people do to a run under way: cancel it, confirm a cue. And what a failure does to it.

use serde_json::json;

use crate::world::plans::{cue, event, orcs, phase, raid, skill};
use crate::world::{World, borrowed, step};

#[tokio::test]
async fn a_cancelled_run_puts_the_world_back_at_once() {
    let world = World::new().await;
    let plan = event("cut-short", &[phase("all", &[skill(), raid()], "1h")]);
    let run_id = world.engine.api.start(&world.engine.api.publish(&plan).await).await;
    world.step_is(&run_id, "raid", "done").await;
    assert_eq!(world.shard.creatures_of(&run_id).await, 12);

    world.engine.api.cancel(&run_id, &json!({"reason": "the orchard burns"})).await.yes();
    let run = world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!(run["unresolvedResources"], 0);
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    world.engine.api.cancel(&run_id, &json!({})).await.no(409, "run_state");
    world.finish().await;
}

#[tokio::test]
async fn a_run_that_is_cancelled_without_cleanup_leaves_what_the_ledger_names() {
    let world = World::new().await;
    let plan = event("left-there", &[phase("all", &[raid()], "1h")]);
    let run_id = world.engine.api.start(&world.engine.api.publish(&plan).await).await;
    world.step_is(&run_id, "raid", "done").await;
    world.engine.api.cancel(&run_id, &json!({"cleanup": false})).await.yes();
    let run = world.ended(&run_id, "cancelled", "incomplete").await;
    assert_eq!(run["unresolvedResources"], 12);
    assert_eq!(world.shard.creatures_of(&run_id).await, 12);
    world.finish().await;
}

#[tokio::test]
async fn a_step_that_aborts_takes_the_run_down_and_the_world_back() {
    let world = World::new().await;
    let mut too_many = orcs("horde", 25);
    too_many["onFailure"] = json!("abort");
    let plan = event("too-many", &[phase("all", &[skill(), raid(), too_many, orcs("never", 1)], "1h")]);
    let run_id = world.engine.api.start(&world.engine.api.publish(&plan).await).await;

    let run = world.ended(&run_id, "failed", "complete").await;
    let horde = step(&run, "horde");
    assert_eq!((&horde["status"], &horde["attempts"]), (&json!("failed"), &json!(1)), "a refusal is not tried again");
    assert_eq!(horde["lastError"]["code"], "ceiling_exceeded");
    assert_eq!(step(&run, "never")["status"], "cancelled");
    assert_eq!(run["health"], "degraded");
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    world.finish().await;
}

#[tokio::test]
async fn a_cue_waits_for_a_person_however_long_that_takes() {
    let mut world = World::new().await;
    let plan = event("by-hand", &[phase("all", &[cue(), raid()], "5m")]);
    let run_id = world.engine.api.start(&world.engine.api.publish(&plan).await).await;
    let run = world.run_until(&run_id, "the cue waits", |run| run["waitingSteps"] == 1).await;
    assert_eq!((&step(&run, "cue")["parked"], &step(&run, "raid")["status"]), (&json!(true), &json!("pending")));
    world.engine.api.confirm(&run_id, "raid").await.no(409, "step_not_parked");

    world.advance(7_200).await;
    world.engine.kill9().await;
    world.engine.restart().await;
    assert_eq!(world.engine.api.run(&run_id).await["waitingSteps"], 1, "two hours and an engine later");
    world.engine.api.confirm(&run_id, "cue").await.yes();
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!(step(&run, "cue")["status"], "done");
    world.engine.api.confirm(&run_id, "cue").await.no(409, "run_state");
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied"]);
    world.finish().await;
}

#[tokio::test]
async fn a_borrowed_value_waits_for_a_persons_word_and_holds_what_follows_across_the_phase() {
    let mut world = World::new().await;
    let mut careful = skill();
    careful["await"] = json!("human");
    careful["holdFor"] = json!("10m");
    let plan = json!([{"key": "first", "label": "First", "steps": [careful]}, phase("second", &[raid()], "30m")]);
    let definition = world.engine.api.publish(&event("careful", plan.as_array().unwrap())).await;
    let run_id = world.engine.api.start(&definition).await;
    let run = world.run_until(&run_id, "it waits for a person", |run| run["waitingSteps"] == 1).await;
    assert_eq!((&step(&run, "skill")["parked"], &borrowed(&run)["baseline"]), (&json!(true), &json!("1000")));
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1200");
    world.engine.kill9().await;
    world.engine.restart().await;
    world.engine.api.confirm(&run_id, "skill").await.yes();
    let run = world.run_until(&run_id, "it holds", |run| run["currentPhase"] == "second").await;
    assert_eq!((&step(&run, "raid")["status"], &run["diagnosis"]["causes"][0]["code"]), (&json!("pending"), &json!("hold")));
    world.advance(599).await;
    world.nothing_is_due().await;
    assert_eq!(world.shard.outcomes("world.spawn"), [""; 0], "never early");
    world.advance(1).await;
    world.step_is(&run_id, "raid", "done").await;
    world.advance(30 * 60).await;
    world.ended(&run_id, "completed", "complete").await;
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    world.finish().await;
}
