//! Something is away for a while: the engine during a wait, the sidecar, the game.

use serde_json::json;

use crate::world::plans::{event, hail, phase, raid, skill, wait};
use crate::world::{World, borrowed, step};

/// Stops the engine ten minutes into a wait of thirty and starts it five minutes later, killing it or asking it.
async fn a_wait_survives(kill: bool) {
    let mut world = World::new().await;
    let plan = event("patience", &[phase("all", &[skill(), wait("30m"), hail()], "1s")]);
    let run_id = world.engine.api.start(&world.engine.api.publish(&plan).await).await;
    world.step_is(&run_id, "wait", "done").await;
    world.advance(600).await;
    if kill {
        world.engine.kill9().await;
    } else {
        world.engine.stop().await;
    }
    world.advance(300).await;
    world.engine.restart().await;
    world.advance(899).await;
    let run = world.engine.api.run(&run_id).await;
    assert_eq!(
        (&step(&run, "hail")["status"], &step(&run, "hail")["dueAt"]),
        (&json!("pending"), &json!("2027-03-01T12:30:00Z"))
    );
    assert_eq!(borrowed(&run)["baseline"], "1000", "remembered by the log, not by the process");
    world.advance(1).await;
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!(step(&run, "hail")["attempts"], 1);
    let claims = world.events(&run_id, "step_claimed").await;
    let hails: Vec<_> = claims.iter().filter(|claim| claim["step"] == "hail").map(|claim| &claim["at"]).collect();
    assert_eq!(hails, ["2027-03-01T12:30:00Z"], "once, thirty minutes after the wait began, not forty-five");
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    world.finish().await;
}

#[tokio::test]
async fn a_wait_goes_on_while_the_engine_is_stopped() {
    a_wait_survives(false).await;
}

#[tokio::test]
async fn a_wait_goes_on_while_the_engine_is_dead() {
    a_wait_survives(true).await;
}

#[tokio::test]
async fn an_engine_that_is_asked_to_stop_in_the_middle_of_a_step_loses_nothing() {
    let mut world = World::patient().await;
    let definition = world.engine.api.publish(&event("stopped", &[phase("all", &[raid()], "30m")])).await;
    world.shard.console("fault delay-ack world.spawn 700").await;
    let run_id = world.engine.api.start(&definition).await;
    world.wait_until("the game has done it", async || world.shard.creatures_of(&run_id).await == 12).await;
    world.engine.stop().await;
    world.shard.console("fault clear").await;
    world.engine.restart().await;
    world.advance(80).await;
    let run = world.step_is(&run_id, "raid", "done").await;
    assert!(step(&run, "raid")["attempts"].as_u64().is_some_and(|attempts| attempts <= 2), "{run}");
    world.advance(30 * 60).await;
    world.ended(&run_id, "completed", "complete").await;
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    world.finish().await;
}

#[tokio::test]
async fn a_step_waits_for_a_sidecar_that_is_down_and_was_never_sent() {
    let mut world = World::new().await;
    let definition = world.engine.api.publish(&event("unplugged", &[phase("all", &[raid()], "30m")])).await;
    world.link.kill9().await;
    let run_id = world.engine.api.start(&definition).await;
    let run = world.run_until(&run_id, "it is tried again", |run| step(run, "raid")["nextTryAt"].is_string()).await;
    let error = &step(&run, "raid")["lastError"];
    assert_eq!((&error["code"], &error["unknown"]), (&json!("not_sent"), &json!(false)));

    world.link.restart().await;
    world.shard.on_the_line(&world.link).await;
    world.advance(60).await;
    let run = world.step_is(&run_id, "raid", "done").await;
    assert_eq!((&step(&run, "raid")["attempts"], &run["health"]), (&json!(2), &json!("degraded")));
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied"], "the first attempt reached nobody");
    world.advance(30 * 60).await;
    world.ended(&run_id, "completed", "complete").await;
    world.finish().await;
}

#[tokio::test]
async fn a_sidecar_that_restarts_in_the_middle_of_a_run_is_not_noticed() {
    let mut world = World::new().await;
    let definition = world.engine.api.publish(&event("replugged", &[phase("all", &[skill(), raid()], "30m")])).await;
    let run_id = world.engine.api.start(&definition).await;
    world.step_is(&run_id, "raid", "done").await;
    world.link.kill9().await;
    world.link.restart().await;
    world.shard.on_the_line(&world.link).await;
    world.advance(30 * 60).await;
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!(run["health"], "ok");
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    world.finish().await;
}

#[tokio::test]
async fn a_game_that_restarts_has_put_the_value_back_and_nothing_is_written() {
    let mut world = World::new().await;
    let definition = world.engine.api.publish(&event("rebooted", &[phase("all", &[skill(), raid()], "30m")])).await;
    let run_id = world.engine.api.start(&definition).await;
    world.step_is(&run_id, "raid", "done").await;
    world.advance(60).await;
    world.shard.skill_cap_of_new("saved").await;
    world.shard.console("save").await;
    assert!(world.shard.saved().contains("\"saved\""), "the save is of the world");
    assert!(!world.shard.saved().contains("SkillCap"), "a borrowed value is never written down");
    world.advance(240).await;
    world.shard.kill9().await;
    world.shard.restart(&world.link).await;
    assert_eq!(world.shard.skill_cap_of_new("rebooted").await, 1000);
    assert_eq!(world.shard.creatures_of(&run_id).await, 12, "creatures are part of the save, with their owner");

    world.advance(30 * 60).await;
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!((&borrowed(&run)["status"], &run["unresolvedResources"]), (&json!("reverted"), &json!(0)));
    assert_eq!(world.shard.outcomes("lease.release"), ["applied"], "asked, and nothing written");
    let reverted = world.events("uo/main/override/uo.config.skillcap", "target_reverted").await;
    assert_eq!(reverted.last().unwrap()["reason"], "let_go_by_restart");
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    world.finish().await;
}

#[tokio::test]
async fn a_clock_that_is_set_back_an_hour_repeats_nothing_and_loses_nothing() {
    let world = World::patient().await;
    let plan = event("set-back", &[phase("first", &[skill()], "10m"), phase("second", &[raid()], "5m")]);
    let run_id = world.engine.api.start(&world.engine.api.publish(&plan).await).await;
    world.step_is(&run_id, "skill", "done").await;
    world.shard.console("fault hold world.spawn").await;
    world.clock.advance(600).await;
    world.wait_until("the game is at it", async || world.shard.console("status").await["deferred"] == 1).await;
    world.clock.set_back(3_600).await;
    world.shard.console("fault release").await;
    let run = world.step_is(&run_id, "raid", "done").await;
    assert_eq!((&step(&run, "raid")["attempts"], &run["status"]), (&json!(1), &json!("running")));

    world.clock.advance(3_600).await;
    world.clock.advance(300).await;
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!(run["health"], "ok");
    assert_eq!(world.events(&run_id, "gate_satisfied").await.len(), 2);
    for kind in ["lease.apply", "world.spawn", "world.despawn"] {
        assert_eq!(world.shard.outcomes(kind), ["applied"], "{kind}");
    }
    world.finish().await;
}
