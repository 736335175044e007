//! The database lets go of the engine, or somebody keeps it waiting: what was begun in the world is recorded all the same.

use crate::world::plans::{event, phase, raid, skill};
use crate::world::{World, step};

#[tokio::test]
async fn every_session_ends_while_the_game_is_at_a_step() {
    let world = World::patient().await;
    let definition = world.engine.api.publish(&event("cut-off", &[phase("all", &[skill(), raid()], "30m")])).await;
    world.shard.console("fault hold world.spawn").await;
    let run_id = world.engine.api.start(&definition).await;
    world.wait_until("the game is at it", async || world.shard.console("status").await["deferred"] == 1).await;
    world.terminate_sessions().await;
    world.shard.console("fault release").await;
    let run = world.step_is(&run_id, "raid", "done").await;
    assert_eq!((step(&run, "raid")["attempts"].as_u64(), run["health"].as_str()), (Some(1), Some("ok")));

    world.terminate_sessions().await;
    world.advance(30 * 60).await;
    world.ended(&run_id, "completed", "complete").await;
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    world.finish().await;
}

#[tokio::test]
async fn somebody_holds_the_log_while_an_answer_comes() {
    let world = World::new().await;
    let definition = world.engine.api.publish(&event("kept-waiting", &[phase("all", &[raid()], "30m")])).await;
    world.shard.console("fault hold world.spawn").await;
    let run_id = world.engine.api.start(&definition).await;
    world.wait_until("the game is at it", async || world.shard.console("status").await["deferred"] == 1).await;
    let held = world.hold_the_log().await;
    world.shard.console("fault release").await;
    world.wait_until("the game has done it", async || world.shard.creatures_of(&run_id).await == 12).await;
    assert_eq!(step(&world.engine.api.run(&run_id).await, "raid")["status"], "running", "reading waits for nobody");
    held.rollback().await.unwrap();
    let run = world.step_is(&run_id, "raid", "done").await;
    assert_eq!(step(&run, "raid")["attempts"], 1);
    world.advance(30 * 60).await;
    world.ended(&run_id, "completed", "complete").await;
    world.finish().await;
}
