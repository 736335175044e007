//! What is left is given back later: a lease that is over, a teardown that was not wanted at first or did not work, and a
//! slot that waits for the teardown of the run that held it.

use serde_json::json;

use crate::world::plans::{alone, event, once, phase, raid, skill, skill_for};
use crate::world::{World, borrowed};

#[tokio::test]
async fn a_lease_that_is_over_is_free_for_the_next_run_while_its_own_goes_on() {
    let world = World::new().await;
    let long = world.engine.api.publish(&event("long", &[phase("all", &[skill_for(5)], "1h")])).await;
    let long = world.engine.api.start(&long).await;
    world.step_is(&long, "skill", "done").await;
    world.advance(310).await;
    let run = world.run_until(&long, "its lease is over", |run| borrowed(run)["status"] == "reverted").await;
    assert_eq!(run["status"], "running");
    assert_eq!(world.shard.outcomes("lease.expired"), ["expired", "restored"], "the game did it alone");

    let next = world.engine.api.publish(&event("next", &[phase("all", &[skill()], "10m")])).await;
    let next = world.engine.api.start(&next).await;
    let run = world.step_is(&next, "skill", "done").await;
    assert_eq!(borrowed(&run)["baseline"], "1000");
    world.advance(600).await;
    world.ended(&next, "completed", "complete").await;
    world.advance(3_600).await;
    world.ended(&long, "completed", "complete").await;
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    world.finish().await;
}

#[tokio::test]
async fn what_was_left_on_request_is_cleaned_on_request_and_asking_twice_changes_nothing() {
    let world = World::new().await;
    let api = &world.engine.api;
    let definition = api.publish(&event("left", &[phase("all", &[skill(), raid()], "1h")])).await;
    let run_id = api.start(&definition).await;
    world.step_is(&run_id, "raid", "done").await;
    let path = format!("/runs/{run_id}/cleanup");
    api.post(&path, &json!({})).await.no(409, "run_state");
    api.cancel(&run_id, &json!({"cleanup": false})).await.yes();
    let run = world.ended(&run_id, "cancelled", "incomplete").await;
    assert_eq!(run["unresolvedResources"], 13);
    assert_eq!(world.shard.creatures_of(&run_id).await, 12, "left up, as asked");

    api.post(&path, &json!({"why": 1})).await.no(422, "invalid_body");
    api.post(&path, &json!({})).await.yes();
    world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!((world.shard.creatures_of(&run_id).await, world.shard.config("PlayerCaps.SkillCap").await.as_str()), (0, "1000"));
    api.post(&path, &json!({})).await.yes();
    assert_eq!(world.events(&run_id, "cleanup_requested").await.len(), 1);
    world.finish().await;
}

#[tokio::test]
async fn a_value_that_drifted_is_not_written_by_a_cleanup_by_hand_either() {
    let world = World::new().await;
    let api = &world.engine.api;
    let run_id = api.start(&api.publish(&event("moved", &[phase("all", &[skill()], "10m")])).await).await;
    world.step_is(&run_id, "skill", "done").await;
    world.shard.console("config set PlayerCaps.SkillCap 900").await;
    world.advance(600).await;
    world.ended(&run_id, "completed", "incomplete").await;
    api.post(&format!("/runs/{run_id}/cleanup"), &json!({})).await.yes();
    world.nothing_is_due().await;
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "900");
    world.ended(&run_id, "completed", "incomplete").await;
    world.finish().await;
}

#[tokio::test]
async fn a_slot_is_not_given_on_before_its_last_holder_has_given_back_what_it_took() {
    let world = World::new().await;
    let api = &world.engine.api;
    let first = api.publish(&alone(event("first", &[phase("all", &[skill()], "20m")]), "orchard:{region}")).await;
    let second = alone(event("second", &[phase("all", &[skill()], "5m")]), "orchard:{region}");
    let second = api.publish(&once(second, "2027-03-01T13:20")).await;
    api.verify(&second).await;
    let waiting = world.run_of(&second).await;
    let holder = api.start(&first).await;
    world.step_is(&holder, "skill", "done").await;
    world.shard.console("fault drop-ack lease.release 1").await;
    world.advance(20 * 60).await;
    world.run_until(&holder, "its teardown is tried again", |run| run["status"] == "completed").await;
    world.wait_until("the run is blocked", async || !world.events(&waiting, "run_blocked").await.is_empty()).await;
    world.wait_until("an undo has failed", async || !world.events(&holder, "undo_settled").await.is_empty()).await;
    world.advance(60).await;
    world.ended(&holder, "completed", "complete").await;
    let run = world.step_is(&waiting, "skill", "done").await;
    assert_eq!(borrowed(&run)["baseline"], "1000", "the true one");
    world.advance(300).await;
    world.ended(&waiting, "completed", "complete").await;
    world.finish().await;
}
