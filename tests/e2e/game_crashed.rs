//! The game dies in the middle of a command. Whether it had happened is unknown, so nothing is sent again blindly, and
//! what is there is found by the key.

use leasehold::log::{Recorded, StreamId};
use serde_json::{Value, json};

use crate::world::plans::{event, phase, raid, skill};
use crate::world::{World, step};

/// Seconds between two attempts.
const RETRY: u32 = 60;

/// A run whose game dies at `moment` of its first command; the run as it stands after the second attempt.
async fn dies(moment: &str, kind: &str, first: Value, status: &str) -> (World, String, Value) {
    let mut world = World::new().await;
    let key = first["key"].as_str().unwrap().to_owned();
    let definition = world.engine.api.publish(&event("crash", &[phase("all", &[first], "30m")])).await;
    world.shard.console(&format!("fault {moment} {kind}")).await;
    let run_id = world.engine.api.start(&definition).await;
    world.shard.crashed().await;
    let lost = world.run_until(&run_id, "the answer is lost", |run| step(run, &key)["nextTryAt"].is_string()).await;
    assert_eq!(step(&lost, &key)["lastError"]["unknown"], true, "{lost}");
    world.shard.restart(&world.link).await;
    world.advance(RETRY).await;
    let run = world.step_is(&run_id, &key, status).await;
    assert_eq!(step(&run, &key)["attempts"], 2);
    (world, run_id, run)
}

/// A step that the game cut off is shown to a person, and cancelling the run leaves nothing.
async fn is_interrupted(moment: &str, kind: &str, first: Value, seen: &[&str]) {
    let key = first["key"].as_str().unwrap().to_owned();
    let (world, run_id, run) = dies(moment, kind, first, "failed").await;
    assert_eq!(run["status"], "paused");
    assert_eq!(step(&run, &key)["lastError"]["code"], "interrupted");
    assert_eq!(world.shard.outcomes(kind), seen);
    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    let run = world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!(run["unresolvedResources"], 0);
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    world.finish().await;
}

/// A command that was done and answered to nobody is answered after the restart, and done no second time.
async fn is_replayed(kind: &str, first: Value) {
    let (world, run_id, run) = dies("crash-unsent", kind, first, "done").await;
    assert_eq!(run["health"], "degraded");
    assert_eq!(world.shard.outcomes(kind), ["applied", "replayed"]);
    world.advance(30 * 60).await;
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!(run["unresolvedResources"], 0);
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    assert!(world.shard.outcomes("lease.release").iter().all(|outcome| outcome != "restored"), "the restart had put it back");
    world.finish().await;
}

#[tokio::test]
async fn before_it_spawns() {
    is_interrupted("crash-before", "world.spawn", raid(), &["interrupted"]).await;
}

#[tokio::test]
async fn after_it_spawned() {
    is_interrupted("crash-after", "world.spawn", raid(), &["applied", "interrupted"]).await;
}

#[tokio::test]
async fn after_it_wrote_down_its_answer_to_a_spawn() {
    is_replayed("world.spawn", raid()).await;
}

#[tokio::test]
async fn before_it_lends_a_value() {
    is_interrupted("crash-before", "lease.apply", skill(), &["interrupted"]).await;
}

#[tokio::test]
async fn after_it_lent_a_value() {
    is_interrupted("crash-after", "lease.apply", skill(), &["applied", "interrupted"]).await;
}

#[tokio::test]
async fn after_it_wrote_down_its_answer_to_an_apply() {
    is_replayed("lease.apply", skill()).await;
}

#[tokio::test]
async fn in_a_teardown_and_the_teardown_goes_on() {
    let mut world = World::new().await;
    let definition = world.engine.api.publish(&event("torn", &[phase("all", &[skill(), raid()], "30m")])).await;
    let run_id = world.engine.api.start(&definition).await;
    world.step_is(&run_id, "raid", "done").await;
    world.shard.console("save").await;
    world.shard.console("fault crash-before world.despawn").await;
    world.advance(30 * 60).await;
    world.shard.crashed().await;
    world.shard.restart(&world.link).await;
    assert_eq!(world.shard.creatures_of(&run_id).await, 12, "they were in the save");

    for attempt in 1..=3 {
        world
            .wait_until(&format!("undo {attempt} has failed"), async || undos_that_failed(&world, &run_id).await == attempt)
            .await;
        world.advance(RETRY).await;
    }
    // The undo that was cut off never runs again under its key: what is still there is named, for a person to see to.
    let run = world.ended(&run_id, "completed", "incomplete").await;
    assert_eq!(run["unresolvedResources"], 12);
    assert!(creatures(&run).all(|creature| creature["lastError"] == "interrupted"), "{run}");
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000", "the other undo went on");
    world.finish().await;
}

/// Undos of creatures that failed, as the log has them: a resource's last error may be that of the undo before. The value's undo may
/// find no game on the line meanwhile, or be spared by what the game says once it is back.
async fn undos_that_failed(world: &World, run_id: &str) -> usize {
    let events = world.log().await.load(&StreamId::new("run", run_id)).await.unwrap();
    let failed = |event: &&Recorded| {
        let first = &event.payload["undone"][0];
        first["result"]["outcome"] == "failed" && first["target"]["kind"] == "creature"
    };
    events.iter().filter(|event| event.event_type == "undo_settled").filter(failed).count()
}

fn creatures(run: &Value) -> impl Iterator<Item = &Value> {
    run["resources"].as_array().unwrap().iter().filter(|resource| resource["kind"] == "creature")
}
