//! Caps of a run and of a day, with two engines at many runs at once: never passed, by the log and by what the game saw.

use futures::future::join_all;
use reqwest::Method;
use serde_json::json;

use crate::world::World;
use crate::world::plans::{event, orcs, phase};

const RUNS: usize = 12;
/// Two spawns of three, and not the third.
const OF_A_RUN: u64 = 8;
/// Thirteen spawns of three in all, and not the fourteenth.
const OF_A_DAY: u64 = 40;

#[tokio::test]
async fn of_a_run_and_of_a_day_hold_with_two_engines_by_the_log_and_by_the_audit() {
    let mut world = World::new().await;
    world.another_engine().await;
    world.engine.api.enable("uo.creature.spawn", &json!({"uo.creatures": OF_A_RUN})).await;
    let day = json!({"dimension": "uo.creatures", "perDay": OF_A_DAY});
    world.engine.api.ask(Method::PUT, "/api/v1/admin/events/allowances", Some(&day), None).await.unwrap().yes();
    let steps = ["one", "two", "three"].map(|key| {
        let mut step = orcs(key, 3);
        step["onFailure"] = json!("skip");
        step
    });
    let definition = world.engine.api.publish(&event("crowd", &[phase("all", &steps, "1h")])).await;
    let engines = [&world.engine.api, &world.others[0].api];
    let runs = join_all((0..RUNS).map(|nth| engines[nth % 2].start(&definition))).await;
    let settled = |run: &serde_json::Value| {
        let steps = run["steps"].as_array().unwrap();
        steps.iter().all(|step| step["status"] == "done" || step["status"] == "refused")
    };
    for run in &runs {
        world.run_until(run, "every step is done or refused", settled).await;
    }
    let (mut by_log, mut by_audit) = (0, 0);
    for run in &runs {
        let claims = world.events(run, "step_claimed").await;
        let drawn: u64 = claims.iter().map(|claim| claim["draws"]["uo.creatures"].as_u64().unwrap_or(0)).sum();
        let made = made_by(&world, run);
        assert!(drawn <= OF_A_RUN && made <= OF_A_RUN, "{run} drew {drawn} and made {made}");
        (by_log, by_audit) = (by_log + drawn, by_audit + made);
    }
    assert_eq!((by_log, by_audit), (39, 39), "thirteen spawns of three, and no fourteenth");
    for run in &runs {
        world.engine.api.cancel(run, &json!({})).await.yes();
    }
    for run in &runs {
        let ended = |run: &serde_json::Value| run["status"] == "cancelled" && run["cleanupStatus"] != "pending";
        world.run_until(run, "it is torn down", ended).await;
    }
    world.finish().await;
}

/// Creatures that the game has made for the run, ever.
fn made_by(world: &World, run: &str) -> u64 {
    let spawns = world.shard.audit().into_iter().filter(|row| row.kind == "world.spawn" && row.outcome == "applied");
    let of_run = spawns.filter(|row| row.run_id.as_deref() == Some(run));
    of_run.map(|row| row.detail["serials"].as_array().unwrap().len() as u64).sum()
}
