//! Several engines on one log: one does it, whoever that is; one that slept too long is refused when it wakes.

use serde_json::{Value, json};

use crate::world::plans::{event, once, phase, raid, shout, skill};
use crate::world::{World, step};

#[tokio::test]
async fn race_on_what_is_due_and_do_it_once() {
    let mut world = World::new().await;
    world.another_engine().await;
    let mut definitions = Vec::new();
    for number in 1..=4 {
        let plan = once(event(&format!("race-{number}"), &[phase("all", &[shout(), raid()], "5m")]), "2027-03-01T13:10");
        let definition = world.engine.api.publish(&plan).await;
        world.engine.api.verify(&definition).await;
        definitions.push(definition);
    }
    let mut runs = Vec::new();
    for definition in &definitions {
        runs.push(world.run_of(definition).await);
    }
    world.advance(600).await;
    for run_id in &runs {
        world.step_is(run_id, "raid", "done").await;
    }
    world.advance(300).await;
    for (run_id, definition) in runs.iter().zip(&definitions) {
        let run = world.ended(run_id, "completed", "complete").await;
        assert_eq!(run["health"], "ok");
        assert_eq!((&step(&run, "shout")["attempts"], &step(&run, "raid")["attempts"]), (&json!(1), &json!(1)));
        assert_eq!(world.runs_of(definition).await.len(), 1);
    }
    for kind in ["admin.broadcast", "world.spawn", "world.despawn"] {
        assert_eq!(world.shard.outcomes(kind), ["applied"; 4], "{kind}: one dispatch for each run");
    }
    world.finish().await;
}

/// Two engines; the one that was first in the world sleeps while the game is at its spawn, and the other has taken the
/// step over and found the game at it still. `pass` lets time pass until the sleeper's claim is over.
async fn asleep_in_dispatch(pass: impl AsyncFn(&World)) -> (World, String) {
    let mut world = World::patient().await;
    world.another_engine().await;
    let definition = world.engine.api.publish(&event("sleeper", &[phase("all", &[raid()], "30m")])).await;
    world.shard.console("fault hold world.spawn").await;
    let run_id = world.engine.api.start(&definition).await;
    world.wait_until("the game is at it", async || world.shard.console("status").await["deferred"] == 1).await;
    world.engine.suspend();
    std::mem::swap(&mut world.engine, &mut world.others[0]);
    pass(&world).await;
    let second = |run: &Value| step(run, "raid")["attempts"] == 2 && step(run, "raid")["nextTryAt"].is_string();
    let run = world.run_until(&run_id, "the second attempt finds the game at it", second).await;
    assert_eq!(step(&run, "raid")["lastError"]["code"], "busy");
    (world, run_id)
}

/// Wakes the sleeper, whose answer is refused, and sees the run to its end.
async fn wakes_for_nothing(mut world: World, run_id: &str, seen: &[&str]) {
    world.others[0].resume();
    let late = "an answer came too late to count";
    world.wait_until("the sleeper's answer is refused", async || world.others[0].words().contains(late)).await;
    assert_eq!(step(&world.engine.api.run(run_id).await, "raid")["status"], "pending", "it is not the sleeper's to settle");
    world.advance(60).await;
    let run = world.step_is(run_id, "raid", "done").await;
    assert_eq!(step(&run, "raid")["attempts"], 3);
    assert_eq!(world.shard.outcomes("world.spawn"), seen);
    assert_eq!(world.shard.creatures_of(run_id).await, 12);
    world.advance(30 * 60).await;
    world.ended(run_id, "completed", "complete").await;
    assert_eq!(world.shard.creatures_of(run_id).await, 0);
    world.finish().await;
}

#[tokio::test]
async fn one_that_slept_past_its_claim_is_refused_when_it_wakes() {
    let (world, run_id) = asleep_in_dispatch(async |world| world.clock.advance(80).await).await;
    world.shard.console("fault release").await;
    world.wait_until("the game has done it", async || world.shard.creatures_of(&run_id).await == 12).await;
    wakes_for_nothing(world, &run_id, &["busy", "applied", "replayed"]).await;
}

#[tokio::test]
async fn one_whose_command_waited_past_its_claim_is_refused_by_the_game() {
    let (world, run_id) = asleep_in_dispatch(async |world| world.advance(80).await).await;
    world.shard.console("fault release").await;
    world.wait_until("the game has refused it", async || world.shard.outcomes("world.spawn").len() == 2).await;
    let refused = world.shard.audit().into_iter().rfind(|row| row.kind == "world.spawn").unwrap();
    assert_eq!(refused.detail["error"], "ttl_expired");
    wakes_for_nothing(world, &run_id, &["busy", "refused", "applied"]).await;
}

#[tokio::test]
async fn one_that_sends_too_late_is_refused_by_the_game() {
    let world = World::new().await;
    let definition = world.engine.api.publish(&event("late", &[phase("all", &[raid(), skill()], "30m")])).await;
    let run_id = world.engine.api.start(&definition).await;
    world.step_is(&run_id, "skill", "done").await;
    // What an owner would send that was put to sleep between its last look at its claim and the wire.
    let late = |key: &str| {
        json!({
            "runId": run_id, "fence": 1, "ttlMs": 60_000, "idempotencyKey": key.repeat(40),
            "map": "Felucca", "x": 540, "y": 992, "creature": "orc", "count": 5,
        })
    };
    let (status, body) = world.link.post("/world/spawn", &late("a")).await;
    assert_eq!((status, &body["error"]), (410, &json!("stale_fence")), "{body}");

    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    world.ended(&run_id, "cancelled", "complete").await;
    let (status, body) = world.link.post("/world/spawn", &late("b")).await;
    assert_eq!((status, &body["error"]), (410, &json!("run_closed")), "{body}");
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    world.finish().await;
}

/// Field report Q09.
#[tokio::test]
async fn judge_a_claim_by_the_expiry_that_was_stored_with_it() {
    let mut world = World::patient().await;
    world.another_engine_with(vec![("LEASEHOLD_CLAIM_MARGIN_SECONDS", "1")]).await;
    let definition = world.engine.api.publish(&event("two-minds", &[phase("all", &[raid()], "30m")])).await;
    world.shard.console("fault hold world.spawn").await;
    let run_id = world.engine.api.start(&definition).await;
    world.wait_until("the game is at it", async || world.shard.console("status").await["deferred"] == 1).await;
    // Beyond what the impatient one would have given itself, and within what the owner was given.
    world.advance(70).await;
    let bystander = world.others[0].api.publish(&event("bystander", &[phase("all", &[shout()], "1s")])).await;
    let passed = world.others[0].api.start(&bystander).await;
    world.step_is(&passed, "shout", "done").await;
    world.shard.console("fault release").await;
    let run = world.step_is(&run_id, "raid", "done").await;
    assert_eq!((&step(&run, "raid")["attempts"], &run["health"]), (&json!(1), &json!("ok")));
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied"], "nobody else asked for it");
    world.advance(30 * 60).await;
    world.ended(&run_id, "completed", "complete").await;
    world.ended(&passed, "completed", "not_required").await;
    world.finish().await;
}

#[tokio::test]
async fn the_one_that_is_left_goes_on_with_what_the_other_began() {
    let mut world = World::new().await;
    world.another_engine().await;
    let plan = event("heir", &[phase("first", &[skill()], "10m"), phase("second", &[raid()], "10m")]);
    let run_id = world.engine.api.start(&world.engine.api.publish(&plan).await).await;
    world.step_is(&run_id, "skill", "done").await;
    world.engine.kill9().await;
    std::mem::swap(&mut world.engine, &mut world.others[0]);
    world.advance(600).await;
    let run = world.step_is(&run_id, "raid", "done").await;
    assert_eq!(step(&run, "raid")["attempts"], 1);
    world.advance(600).await;
    let run = world.ended(&run_id, "completed", "complete").await;
    assert_eq!(run["health"], "ok");
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    world.finish().await;
}
