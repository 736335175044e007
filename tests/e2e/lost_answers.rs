//! The game does what it was told and its answer is lost: one effect, the first answer counts, and the run says so.

use serde_json::json;

use crate::world::plans::{event, phase, raid, skill};
use crate::world::{World, borrowed, step};

/// Seconds between two attempts.
const RETRY: u32 = 60;

#[tokio::test]
async fn an_answer_lost_on_apply_spawn_and_release_changes_nothing_twice() {
    let world = World::new().await;
    let plan = event("lossy", &[phase("all", &[skill(), raid()], "30m")]);
    let definition = world.engine.api.publish(&plan).await;
    for kind in ["lease.apply", "world.spawn", "lease.release"] {
        world.shard.console(&format!("fault drop-ack {kind}")).await;
    }
    let run_id = world.engine.api.start(&definition).await;
    for key in ["skill", "raid"] {
        let lost = world.run_until(&run_id, "the first answer is lost", |run| step(run, key)["nextTryAt"].is_string()).await;
        let lost = step(&lost, key);
        assert_eq!((&lost["attempts"], &lost["lastError"]["code"]), (&json!(1), &json!("no_answer")), "{lost}");
        assert_eq!(lost["lastError"]["unknown"], true, "no answer is not a no: {lost}");
        world.advance(RETRY).await;
        let done = world.step_is(&run_id, key, "done").await;
        assert_eq!(step(&done, key)["attempts"], 2);
    }
    assert_eq!(world.shard.creatures_of(&run_id).await, 12);

    world.advance(30 * 60).await;
    let waiting = world.run_until(&run_id, "the release is lost", |run| borrowed(run)["lastError"].is_string()).await;
    assert_eq!((&waiting["cleanupStatus"], &borrowed(&waiting)["lastError"]), (&json!("pending"), &json!("no_answer")));
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000", "it was given back all the same");
    world.advance(RETRY).await;
    let run = world.ended(&run_id, "completed", "complete").await;

    assert_eq!(run["health"], "degraded");
    let value = borrowed(&run);
    assert_eq!((&value["baseline"], &value["applied"], &value["revertAttempts"]), (&json!("1000"), &json!("1200"), &json!(2)));
    for kind in ["lease.apply", "world.spawn"] {
        assert_eq!(world.shard.outcomes(kind), ["applied", "replayed"], "{kind}: as many rows as attempts, one of them applied");
    }
    assert_eq!(world.shard.outcomes("lease.release"), ["applied", "restored", "replayed"]);
    world.finish().await;
}

#[tokio::test]
async fn a_baseline_is_never_read_again_whatever_restarts_in_between() {
    let mut world = World::new().await;
    let definition = world.engine.api.publish(&event("twice", &[phase("all", &[skill()], "30m")])).await;
    world.shard.console("fault drop-ack lease.apply 2").await;
    let run_id = world.engine.api.start(&definition).await;
    for attempt in 1..=2 {
        let lost =
            |run: &serde_json::Value| step(run, "skill")["attempts"] == attempt && step(run, "skill")["nextTryAt"].is_string();
        world.run_until(&run_id, &format!("answer {attempt} is lost"), lost).await;
        assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1200");
        world.engine.kill9().await;
        world.engine.restart().await;
        world.advance(RETRY).await;
    }
    let run = world.step_is(&run_id, "skill", "done").await;
    assert_eq!((&borrowed(&run)["baseline"], &step(&run, "skill")["attempts"]), (&json!("1000"), &json!(3)));
    assert_eq!(world.shard.outcomes("lease.apply"), ["applied", "replayed", "replayed"]);

    world.advance(30 * 60).await;
    world.ended(&run_id, "completed", "complete").await;
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    world.finish().await;
}

#[tokio::test]
async fn a_step_whose_every_answer_is_lost_is_shown_to_a_person_and_undone_by_its_key() {
    let world = World::new().await;
    let definition = world.engine.api.publish(&event("mute", &[phase("all", &[raid()], "30m")])).await;
    world.shard.console("fault drop-ack world.spawn 9").await;
    let run_id = world.engine.api.start(&definition).await;
    for attempt in 1..=2 {
        let lost =
            |run: &serde_json::Value| step(run, "raid")["attempts"] == attempt && step(run, "raid")["nextTryAt"].is_string();
        world.run_until(&run_id, &format!("answer {attempt} is lost"), lost).await;
        world.advance(RETRY).await;
    }
    let run = world.step_is(&run_id, "raid", "failed").await;
    assert_eq!((&run["status"], &step(&run, "raid")["attempts"]), (&json!("paused"), &json!(3)));
    assert_eq!(run["unresolvedResources"], 1, "the placeholder stands for whatever is there");
    assert_eq!(run["resources"], json!([]), "and is nothing that could be shown");
    assert_eq!(world.shard.creatures_of(&run_id).await, 12);

    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    let run = world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!(run["unresolvedResources"], 0);
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    world.finish().await;
}
