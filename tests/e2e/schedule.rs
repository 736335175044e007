//! A run whose instant came while no engine was there: late within its grace, missed past it, and always with a reason.

use crate::world::World;
use crate::world::plans::{event, harvest, once, phase, raid};

/// A verified definition of one raid, due in ten minutes with a grace of fifteen, and its run.
async fn due_in_ten_minutes(world: &World) -> (String, String) {
    let plan = once(event("due", &[phase("all", &[raid()], "5m")]), "2027-03-01T13:10");
    let definition = world.engine.api.publish(&plan).await;
    world.engine.api.verify(&definition).await;
    let run_id = world.run_of(&definition).await;
    (definition, run_id)
}

#[tokio::test]
async fn late_within_the_grace_it_starts_and_says_how_late() {
    let mut world = World::new().await;
    let (_, run_id) = due_in_ten_minutes(&world).await;
    world.engine.kill9().await;
    world.advance(600 + 900).await;
    world.engine.restart().await;
    let run = world.step_is(&run_id, "raid", "done").await;
    assert_eq!(
        (run["startedAt"].as_str(), run["scheduledFor"].as_str()),
        (Some("2027-03-01T12:25:00Z"), Some("2027-03-01T12:10:00Z"))
    );
    assert_eq!(world.events(&run_id, "run_started").await[0]["late_seconds"], 900, "the last instant of the grace still starts");
    world.advance(300).await;
    world.ended(&run_id, "completed", "complete").await;
    world.finish().await;
}

#[tokio::test]
async fn past_the_grace_it_is_missed_and_nothing_is_done_late() {
    let mut world = World::new().await;
    let (definition, run_id) = due_in_ten_minutes(&world).await;
    world.engine.stop().await;
    world.advance(600 + 901).await;
    world.engine.restart().await;
    world.ended(&run_id, "missed", "not_required").await;
    let missed = world.events(&run_id, "run_missed").await;
    assert_eq!((missed.len(), &missed[0]["cause"]["cause"]), (1, &serde_json::json!("grace_passed")));
    assert!(world.engine.cli(&["replay", &run_id]).contains("missed"));
    assert_eq!(world.shard.outcomes("world.spawn"), Vec::<String>::new());
    assert_eq!(world.runs_of(&definition).await, [run_id]);
    world.finish().await;
}

#[tokio::test]
async fn a_run_by_hand_needs_no_verified_version() {
    let world = World::new().await;
    let plan = once(harvest("by-hand"), "2027-03-01T20:00");
    let definition = world.engine.api.publish(&plan).await;
    let run_id = world.engine.api.start(&definition).await;
    world.step_is(&run_id, "skill", "done").await;
    world.advance(30 * 60).await;
    world.step_is(&run_id, "raid", "done").await;
    world.advance(20 * 60).await;
    world.ended(&run_id, "completed", "complete").await;
    assert_eq!(world.runs_of(&definition).await, [run_id], "its own occurrence is still withheld");
    world.finish().await;
}
