//! Staff move the value that a run has borrowed: it is theirs, and is left alone.

use serde_json::json;

use crate::world::plans::{event, phase, skill};
use crate::world::{World, borrowed};

#[tokio::test]
async fn a_value_that_staff_moved_is_left_alone_and_can_be_borrowed_again() {
    let world = World::new().await;
    let definition = world.engine.api.publish(&event("moved", &[phase("all", &[skill()], "30m")])).await;
    let first = world.engine.api.start(&definition).await;
    world.step_is(&first, "skill", "done").await;
    world.shard.console("config set PlayerCaps.SkillCap 1100").await;

    world.advance(30 * 60).await;
    let run = world.ended(&first, "completed", "incomplete").await;
    let value = borrowed(&run);
    assert_eq!(value["status"], "drifted");
    let told = (&value["baseline"], &value["applied"], &value["found"]);
    assert_eq!(told, (&json!("1000"), &json!("1200"), &json!("1100")));
    assert_eq!(run["unresolvedResources"], 1);
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1100");
    assert_eq!(world.shard.outcomes("lease.release"), ["applied", "drifted"], "nothing was put back");

    let second = world.engine.api.start(&definition).await;
    let run = world.step_is(&second, "skill", "done").await;
    assert_eq!((&borrowed(&run)["baseline"], &borrowed(&run)["applied"]), (&json!("1100"), &json!("1200")));
    world.advance(30 * 60).await;
    world.ended(&second, "completed", "complete").await;
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1100", "as staff left it");
    let run = world.engine.api.run(&first).await;
    assert_eq!((&run["cleanupStatus"], &borrowed(&run)["status"]), (&json!("incomplete"), &json!("drifted")));
    world.finish().await;
}

#[tokio::test]
async fn a_value_that_is_lent_already_is_not_lent_again() {
    let world = World::new().await;
    let plan = |slug| event(slug, &[phase("all", &[skill()], "30m")]);
    let holder = world.engine.api.start(&world.engine.api.publish(&plan("holder")).await).await;
    world.step_is(&holder, "skill", "done").await;
    let other = world.engine.api.start(&world.engine.api.publish(&plan("other")).await).await;
    let run = world.step_is(&other, "skill", "refused").await;
    let error = &crate::world::step(&run, "skill")["lastError"];
    assert_eq!(error["code"], "held");
    assert!(error["sentence"].as_str().unwrap().contains(&holder), "the holder is named: {error}");
    assert_eq!(world.shard.outcomes("lease.apply"), ["applied"], "the game was asked once");

    world.engine.api.cancel(&other, &json!({})).await.yes();
    world.ended(&other, "cancelled", "not_required").await;
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1200", "the loser's end takes nothing from the holder");
    world.advance(30 * 60).await;
    world.ended(&holder, "completed", "complete").await;
    world.finish().await;
}
