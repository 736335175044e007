//! A claim that is over before its command could be sent: whoever holds it sends nothing, and the next attempt does it.

use serde_json::{Value, json};

use crate::overtaken::Hold;
use crate::world::plans::{event, phase, raid, skill};
use crate::world::{World, step};

/// Seconds beyond the longest claim.
const LONG: u32 = 300;

/// Lets what falls due in `seconds` be decided, and keeps its commit waiting until any claim in it is over.
async fn commits_too_late(world: &World, seconds: u32) {
    let mut held = Hold::appending(world, ("lamp", "held"), &json!({"type": "lamp_lit"})).await;
    world.advance(seconds).await;
    held.keeps_somebody_waiting().await;
    world.clock.advance(LONG).await;
    held.give_up().await;
}

#[tokio::test]
async fn a_step_is_not_sent_when_its_claim_is_over() {
    let world = World::new().await;
    let plan = event("overslept", &[phase("first", &[skill()], "10m"), phase("second", &[raid()], "10m")]);
    let run_id = world.engine.api.start(&world.engine.api.publish(&plan).await).await;
    world.step_is(&run_id, "skill", "done").await;
    commits_too_late(&world, 600).await;

    let run = world.step_is(&run_id, "raid", "done").await;
    assert_eq!((&step(&run, "raid")["attempts"], &run["health"]), (&json!(2), &json!("degraded")));
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied"], "the first claim sent nothing");
    assert!(world.engine.words().contains("the claim was over before its command was sent"));
    world.advance(600).await;
    world.ended(&run_id, "completed", "complete").await;
    world.finish().await;
}

#[tokio::test]
async fn an_undo_is_not_sent_when_its_claim_is_over() {
    let mut world = World::new().await;
    let definition = world.engine.api.publish(&event("left-late", &[phase("all", &[raid()], "30m")])).await;
    let run_id = world.engine.api.start(&definition).await;
    world.step_is(&run_id, "raid", "done").await;
    world.link.kill9().await;
    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    let failed = |run: &Value| run["resources"][0]["lastError"].is_string();
    world.run_until(&run_id, "the first undo reaches nobody", failed).await;
    world.link.restart().await;
    world.shard.on_the_line(&world.link).await;
    commits_too_late(&world, 60).await;

    let run = world.ended(&run_id, "cancelled", "complete").await;
    assert!(run["resources"].as_array().unwrap().iter().all(|creature| creature["revertAttempts"] == 3), "{run}");
    assert_eq!(world.shard.outcomes("world.despawn"), ["applied"], "the second claim sent nothing");
    assert_eq!(world.shard.outcomes("run.close"), ["applied"]);
    world.finish().await;
}
