//! Runs that exclude each other: the second waits for the first, for as long as its grace allows.

use serde_json::json;

use crate::world::World;
use crate::world::plans::{alone, event, once, phase, raid, skill};

/// A run by hand that holds the orchard for that span, and the run of another definition that is due in ten minutes.
async fn one_after_the_other(world: &World, span: &str) -> (String, String) {
    let first = alone(event("first", &[phase("all", &[skill()], span)]), "orchard:{region}");
    let second = alone(event("second", &[phase("all", &[raid()], "5m")]), "orchard:{region}");
    let second = world.engine.api.publish(&once(second, "2027-03-01T13:10")).await;
    world.engine.api.verify(&second).await;
    let waiting = world.run_of(&second).await;
    let holder = world.engine.api.start(&world.engine.api.publish(&first).await).await;
    world.step_is(&holder, "skill", "done").await;
    let refused = world.engine.api.post(&format!("/{second}/runs"), &json!({})).await.no(409, "slot_held");
    assert!(refused["detail"].as_str().unwrap().contains(&holder), "{refused}");

    world.advance(600).await;
    world.wait_until("the run is blocked", async || !world.events(&waiting, "run_blocked").await.is_empty()).await;
    assert_eq!(world.events(&waiting, "run_blocked").await[0]["by"], holder);
    (holder, waiting)
}

#[tokio::test]
async fn the_second_starts_when_the_first_lets_go() {
    let world = World::new().await;
    let (holder, waiting) = one_after_the_other(&world, "20m").await;
    world.advance(600).await;
    world.ended(&holder, "completed", "complete").await;
    let run = world.step_is(&waiting, "raid", "done").await;
    assert_eq!(run["startedAt"], "2027-03-01T12:20:00Z");
    assert_eq!(world.events(&waiting, "run_started").await[0]["late_seconds"], 600);
    world.advance(300).await;
    world.ended(&waiting, "completed", "complete").await;
    world.finish().await;
}

#[tokio::test]
async fn the_second_is_missed_if_the_first_holds_on_and_the_holder_is_named() {
    let world = World::new().await;
    let (holder, waiting) = one_after_the_other(&world, "50m").await;
    world.advance(901).await;
    world.ended(&waiting, "missed", "not_required").await;
    let missed = &world.events(&waiting, "run_missed").await[0];
    assert_eq!(missed["cause"], json!({"cause": "slot_held", "by": holder}));
    world.advance(50 * 60).await;
    world.ended(&holder, "completed", "complete").await;
    assert_eq!(world.shard.outcomes("world.spawn"), Vec::<String>::new());
    world.finish().await;
}

/// Field report Q05, its first case.
#[tokio::test]
async fn a_killed_holder_keeps_its_slot_and_gives_it_back_when_its_run_ends() {
    let mut world = World::new().await;
    let (holder, waiting) = one_after_the_other(&world, "20m").await;
    world.engine.kill9().await;
    world.advance(600).await;
    world.engine.restart().await;
    world.ended(&holder, "completed", "complete").await;
    world.step_is(&waiting, "raid", "done").await;
    world.advance(300).await;
    world.ended(&waiting, "completed", "complete").await;
    world.finish().await;
}
