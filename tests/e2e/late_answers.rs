//! An answer that comes after somebody has cancelled the run, or very late: it counts, and what it brings is given back.

use serde_json::json;

use crate::world::plans::{event, phase, raid, skill};
use crate::world::{World, borrowed, step};

/// A run that was cancelled while the game was at `first`; its cleanup cannot be over.
async fn cancelled_in_dispatch(world: &World, first: serde_json::Value, kind: &str) -> String {
    let definition = world.engine.api.publish(&event("overtaken", &[phase("all", &[first], "30m")])).await;
    world.shard.console(&format!("fault hold {kind}")).await;
    let run_id = world.engine.api.start(&definition).await;
    world.wait_until("the game is at it", async || world.shard.console("status").await["deferred"] == 1).await;
    let cancelled = world.engine.api.cancel(&run_id, &json!({})).await.yes();
    assert_eq!((&cancelled["status"], &cancelled["cleanupStatus"]), (&json!("cancelled"), &json!("pending")));
    world.shard.console("fault release").await;
    run_id
}

#[tokio::test]
async fn creatures_of_a_cancelled_run_are_taken_away_again() {
    let world = World::patient().await;
    let run_id = cancelled_in_dispatch(&world, raid(), "world.spawn").await;
    let run = world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!(step(&run, "raid")["status"], "done", "it was done, whatever became of the run");
    assert_eq!(run["resources"].as_array().unwrap().len(), 12);
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied"]);
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    world.finish().await;
}

#[tokio::test]
async fn a_value_lent_to_a_cancelled_run_is_given_back() {
    let world = World::patient().await;
    let run_id = cancelled_in_dispatch(&world, skill(), "lease.apply").await;
    let run = world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!((&borrowed(&run)["status"], &borrowed(&run)["baseline"]), (&json!("reverted"), &json!("1000")));
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    world.finish().await;
}

/// Field report Q01.
#[tokio::test]
async fn answers_that_are_late_twice_are_one_effect() {
    let world = World::new().await;
    let definition = world.engine.api.publish(&event("slow", &[phase("all", &[raid()], "30m")])).await;
    world.shard.console("fault delay-ack world.spawn 1500").await;
    let run_id = world.engine.api.start(&definition).await;
    for attempt in 1..=2 {
        let late =
            |run: &serde_json::Value| step(run, "raid")["attempts"] == attempt && step(run, "raid")["nextTryAt"].is_string();
        world.run_until(&run_id, &format!("answer {attempt} is late"), late).await;
        if attempt == 2 {
            world.shard.console("fault clear").await;
        }
        world.advance(60).await;
    }
    let run = world.step_is(&run_id, "raid", "done").await;
    assert_eq!((&step(&run, "raid")["attempts"], &run["health"]), (&json!(3), &json!("degraded")));
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied", "replayed", "replayed"]);
    world.advance(30 * 60).await;
    world.ended(&run_id, "completed", "complete").await;
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    world.finish().await;
}
