//! When something is over: a lease whose first answer was lost, and the cleanup of a run that is still at a step.

use serde_json::{Value, json};

use crate::world::plans::{event, phase, raid, skill};
use crate::world::{World, borrowed, step};

#[tokio::test]
async fn a_lease_whose_first_answer_was_lost_ends_when_the_game_ends_it() {
    let world = World::new().await;
    let definition = world.engine.api.publish(&event("counted", &[phase("all", &[skill()], "2h")])).await;
    world.shard.console("fault drop-ack lease.apply").await;
    let run_id = world.engine.api.start(&definition).await;
    world.run_until(&run_id, "the answer is lost", |run| step(run, "skill")["nextTryAt"].is_string()).await;
    world.advance(60).await;
    let run = world.step_is(&run_id, "skill", "done").await;
    assert_eq!(
        borrowed(&run)["leaseUntil"],
        "2027-03-01T13:00:00Z",
        "an hour from the first attempt, which is the one that took effect"
    );
    world.advance(3_540).await;
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    world.advance(3_600).await;
    world.ended(&run_id, "completed", "complete").await;
    world.finish().await;
}

#[tokio::test]
async fn cleanup_is_not_over_while_a_step_is_under_way() {
    let world = World::patient().await;
    let definition = world.engine.api.publish(&event("under-way", &[phase("all", &[skill(), raid()], "30m")])).await;
    world.shard.console("fault hold world.spawn").await;
    let run_id = world.engine.api.start(&definition).await;
    world.wait_until("the game is at it", async || world.shard.console("status").await["deferred"] == 1).await;
    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    let returned = |run: &Value| borrowed(run)["status"] == "reverted";
    let run = world.run_until(&run_id, "what can be given back is given back", returned).await;
    assert_eq!((&run["cleanupStatus"], &step(&run, "raid")["status"]), (&json!("pending"), &json!("running")));

    world.shard.console("fault release").await;
    world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!(world.events(&run_id, "cleanup_stopped").await, Vec::<Value>::new(), "nobody was told that it was over");
    assert_eq!(world.events(&run_id, "cleanup_completed").await.len(), 1, "and then, once, that it is");
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    world.finish().await;
}
