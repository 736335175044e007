//! The game is away when a step is due: for a while, or for longer than anybody tries.

use serde_json::json;

use crate::world::plans::{event, hail, phase, raid, shout};
use crate::world::{World, step};

/// Seconds between two attempts.
const RETRY: u32 = 60;

/// Field report G01.
#[tokio::test]
async fn for_a_minute_and_a_half_the_third_attempt_finds_it_and_nothing_else_was_held_up() {
    let mut world = World::new().await;
    world.shard.kill9().await;
    let definition = world.engine.api.publish(&event("restart", &[phase("all", &[hail(), raid()], "30m")])).await;
    let run_id = world.engine.api.start(&definition).await;
    for attempt in 1..=2 {
        let tried =
            |run: &serde_json::Value| step(run, "raid")["attempts"] == attempt && step(run, "raid")["nextTryAt"].is_string();
        let run = world.run_until(&run_id, &format!("attempt {attempt} finds nobody"), tried).await;
        assert_eq!((&step(&run, "hail")["status"], &run["health"]), (&json!("done"), &json!("degraded")));
        assert_eq!(run["diagnosis"]["causes"][0]["code"], "retry", "{}", run["diagnosis"]);
        if attempt == 2 {
            let words = world.engine.api.publish(&event("words", &[phase("all", &[hail()], "1s")])).await;
            let beside = world.engine.api.start(&words).await;
            world.step_is(&beside, "hail", "done").await;
            world.shard.restart(&world.link).await;
        }
        world.advance(RETRY).await;
    }
    let run = world.step_is(&run_id, "raid", "done").await;
    assert_eq!((&step(&run, "raid")["attempts"], &run["health"]), (&json!(3), &json!("degraded")));
    assert!(run["recoveredAt"].is_string(), "{run}");
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied"]);
    assert_eq!((world.events(&run_id, "run_degraded").await.len(), world.events(&run_id, "run_recovered").await.len()), (1, 1));
    world.advance(30 * 60).await;
    world.ended(&run_id, "completed", "complete").await;
    world.finish().await;
}

#[tokio::test]
async fn for_longer_the_run_pauses_and_a_person_has_it_done_once() {
    let mut world = World::new().await;
    world.shard.kill9().await;
    let definition = world.engine.api.publish(&event("outage", &[phase("all", &[raid(), shout()], "30m")])).await;
    let run_id = world.engine.api.start(&definition).await;
    for attempt in 1..=2 {
        let tried =
            |run: &serde_json::Value| step(run, "raid")["attempts"] == attempt && step(run, "raid")["nextTryAt"].is_string();
        world.run_until(&run_id, &format!("attempt {attempt} finds nobody"), tried).await;
        world.advance(RETRY).await;
    }
    let run = world.step_is(&run_id, "raid", "failed").await;
    assert_eq!((&run["status"], &step(&run, "raid")["attempts"]), (&json!("paused"), &json!(3)));
    assert_eq!(run["diagnosis"]["causes"][0]["code"], "stopped_at_step", "{}", run["diagnosis"]);
    world.advance(600).await;
    assert_eq!(world.engine.api.run(&run_id).await["status"], "paused", "nobody goes on for the person");

    world.shard.restart(&world.link).await;
    world.engine.api.post(&format!("/runs/{run_id}/steps/raid/retry"), &json!({})).await.yes();
    let run = world.step_is(&run_id, "shout", "done").await;
    assert_eq!((&step(&run, "raid")["status"], &step(&run, "raid")["attempts"]), (&json!("done"), &json!(1)));
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied"]);
    assert_eq!(world.shard.creatures_of(&run_id).await, 12);
    world.advance(40 * 60).await;
    world.ended(&run_id, "completed", "complete").await;
    world.finish().await;
}
