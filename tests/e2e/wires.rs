//! Bad wires on both sides of the sidecar, with an engine at one end and a world at the other: requests and lines are cut off,
//! truncated, doubled and delayed while a run goes its way.

use serde_json::{Value, json};

use crate::bad_wire::{BadWire, Passes};
use crate::world::plans::{event, orcs, phase, shout, skill_for};
use crate::world::{World, borrowed, step};

/// As many attempts as there may be; what is asked again is asked under its key.
const PATIENCE: [(&str, &str); 2] = [("LEASEHOLD_STEP_ATTEMPTS", "20"), ("LEASEHOLD_UNDO_ATTEMPTS", "100")];

/// Lets time pass, a retry at a time, until the run is as wanted.
async fn in_time(world: &World, run_id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let waits = |step: &Value| step["nextTryAt"].is_string();
    for _ in 0..200 {
        let settled = |run: &Value| {
            let asleep = run["steps"].as_array().is_some_and(|steps| steps.iter().any(waits));
            let undone = run["resources"].as_array().is_some_and(|all| all.iter().any(|one| one["lastError"].is_string()));
            wanted(run) || asleep || (undone && run["cleanupStatus"] == "pending")
        };
        let run = world.run_until(run_id, "the run is done or waits for its next try", settled).await;
        if wanted(&run) {
            return run;
        }
        world.advance(61).await;
    }
    panic!("two hundred tries were not enough");
}

#[tokio::test]
async fn a_run_completes_over_wires_that_cut_delay_double_and_truncate_and_each_key_is_applied_once() {
    let mut world = World::new().await;
    let creatures: Vec<Value> = (0..8).map(|n| orcs(&format!("orcs-{n}"), 1)).collect();
    let steps = [vec![skill_for(600), shout()], creatures].concat();
    let definition = world.engine.api.publish(&event("wires", &[phase("all", &steps, "4h")])).await;

    let to_link = BadWire::to(&world.link.http, 11, Passes::Requests).await;
    let to_game = BadWire::to(&world.link.game, 13, Passes::Lines).await;
    for wire in [&to_link, &to_game] {
        wire.mend(true);
    }
    world.shard.kill9().await;
    let game = std::mem::replace(&mut world.link.game, to_game.address.clone());
    world.shard.restart(&world.link).await;
    world.link.game = game;
    let links = world.link.as_setting().replace(&world.link.http, &to_link.address);
    world.engine.stop().await;
    world.engine.reaches(links);
    world.engine.restart_with(PATIENCE.to_vec()).await;
    world.wait_until("the engine is ready", async || world.engine.api.is_ready().await).await;

    for wire in [&to_link, &to_game] {
        wire.mend(false);
    }
    let run_id = world.engine.api.start(&definition).await;
    let run = in_time(&world, &run_id, |run| step(run, "orcs-7")["status"] == "done").await;
    assert_eq!(run["status"], "running", "{run}");
    let attempts: u64 = run["steps"].as_array().unwrap().iter().map(|step| step["attempts"].as_u64().unwrap()).sum();
    assert_eq!(world.shard.creatures_of(&run_id).await, 8);
    assert!(attempts > 10, "ten steps and not one answer lost");
    world.advance(4 * 3600).await;
    let run = in_time(&world, &run_id, |run| run["status"] == "completed" && run["cleanupStatus"] == "complete").await;
    let met = [to_link.met(), to_game.met()];
    println!("{attempts} attempts at ten steps; cut, truncated, doubled, delayed: {met:?}");
    for wire in [&to_link, &to_game] {
        wire.mend(true);
    }

    assert_eq!((&run["unresolvedResources"], &borrowed(&run)["baseline"]), (&json!(0), &json!("1000")));
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    let applied = |kind: &str| world.shard.outcomes(kind).iter().filter(|outcome| *outcome == "applied").count();
    assert_eq!((applied("lease.apply"), applied("admin.broadcast"), applied("world.spawn")), (1, 1, 8));
    // What a wire doubles, the game hears more often than the log has claimed it.
    world.finish_but_for_what_was_doubled().await;
}
