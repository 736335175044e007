//! The engine is dead when a lease ends: the game puts the value back by itself, and that is no drift.

use serde_json::json;

use crate::world::plans::{event, harvest, phase, skill, skill_for};
use crate::world::{World, borrowed};

#[tokio::test]
async fn the_game_restores_alone_and_the_entry_closes_without_a_write() {
    let mut world = World::new().await;
    let definition = world.engine.api.publish(&event("deadline", &[phase("all", &[skill_for(10)], "15m")])).await;
    let run_id = world.engine.api.start(&definition).await;
    world.step_is(&run_id, "skill", "done").await;
    world.advance(120).await;
    world.engine.kill9().await;

    world.advance(470).await;
    assert_eq!(world.shard.skill_cap_of_new("early").await, 1200);
    world.advance(15).await;
    assert_eq!(world.shard.skill_cap_of_new("late").await, 1000);
    assert_eq!(world.shard.outcomes("lease.expired"), ["expired", "restored"]);

    world.advance(600).await;
    world.engine.restart().await;
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!((&borrowed(&run)["status"], &borrowed(&run)["found"]), (&json!("reverted"), &json!(null)), "not drifted");
    assert_eq!(world.shard.outcomes("lease.release"), ["applied"], "asked, and nothing written");
    let released = world.shard.audit().into_iter().find(|row| row.kind == "lease.release").unwrap();
    assert_eq!(released.detail["result"], "already_restored");
    let reverted = world.events("uo/main/override/uo.config.skillcap", "target_reverted").await;
    assert_eq!(reverted.last().unwrap()["reason"], "expired_at_game");

    let next = world.engine.api.start(&world.engine.api.publish(&harvest("next")).await).await;
    let run = world.step_is(&next, "skill", "done").await;
    assert_eq!(borrowed(&run)["baseline"], "1000", "the target is free, and its baseline the true one");
    world.engine.api.cancel(&next, &json!({})).await.yes();
    world.ended(&next, "cancelled", "complete").await;
    world.finish().await;
}

/// A gate and a cry, each for five minutes of an hour, and the game restarted after that.
#[tokio::test]
async fn a_gate_that_the_game_has_closed_by_itself_is_no_loss_whoever_restarts() {
    let mut world = World::new().await;
    for action in ["uo.gate.open", "uo.towncrier.post"] {
        world.engine.api.enable(action, &json!({})).await;
    }
    let does = |key: &str, action: &str, params: serde_json::Value| json!({"key": key, "action": action, "params": params});
    let gate = json!({"location": "yew-orchard", "destination": "britain-bank", "minutes": 5});
    let cry = json!({"text": "The gate is open", "minutes": 5});
    let steps = [does("gate", "uo.gate.open", gate), does("cry", "uo.towncrier.post", cry)];
    let definition = world.engine.api.publish(&event("gate", &[phase("all", &steps, "1h")])).await;
    let run_id = world.engine.api.start(&definition).await;
    let run = world.step_is(&run_id, "cry", "done").await;
    assert_eq!(run["resources"][1]["leaseUntil"], "2027-03-01T12:05:00Z", "{run}");
    world.engine.kill9().await;
    world.advance(301).await;
    assert_eq!(world.shard.outcomes("object.expired"), ["expired", "expired", "expired"], "both ends, and the cry");
    world.shard.console("save").await;
    world.shard.kill9().await;
    world.shard.restart(&world.link).await;
    world.engine.restart().await;
    let let_go = |run: &serde_json::Value| {
        let all = run["resources"].as_array().unwrap();
        all.iter().filter(|one| one["kind"] != "@step").all(|one| one["status"] == "reverted")
    };
    let run = world.run_until(&run_id, "the run has let them go", let_go).await;
    assert_eq!((&run["status"], &run["unresolvedResources"]), (&json!("running"), &json!(0)));
    assert!(world.events(&run_id, "holdings_reconciled").await.iter().all(|told| told["lost"] == json!([])));
    world.advance(3_600).await;
    world.ended(&run_id, "completed", "complete").await;
    world.finish().await;
}

#[tokio::test]
async fn a_value_that_staff_moved_before_the_deadline_is_theirs_and_drift() {
    let mut world = World::new().await;
    let definition = world.engine.api.publish(&event("both", &[phase("all", &[skill()], "2h")])).await;
    let run_id = world.engine.api.start(&definition).await;
    world.step_is(&run_id, "skill", "done").await;
    world.engine.kill9().await;
    world.shard.console("config set PlayerCaps.SkillCap 900").await;
    world.advance(3_601).await;
    assert_eq!(world.shard.outcomes("lease.expired"), ["expired", "drifted"]);
    world.engine.restart().await;
    world.advance(3_600).await;
    let run = world.ended(&run_id, "completed", "incomplete").await;
    assert_eq!((&borrowed(&run)["status"], &borrowed(&run)["found"]), (&json!("drifted"), &json!("900")));
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "900");
    world.finish().await;
}
