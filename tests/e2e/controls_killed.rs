//! The engine is killed before and after each append by which a person or a fault turns a run: before it, nothing was done and is
//! asked for again; after it, it stands, and the run goes on from there.

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::plans::{cue, event, hail, orcs, phase};
use crate::world::{World, step};

/// Seconds beyond the longest claim of a step.
const CLAIM: u32 = 100;

/// The engine dies at that point of what is asked of it. Before the append it is asked again by the caller.
async fn dies_of(world: &mut World, point: &str, path: &str, body: &Value) {
    world.engine.kill9().await;
    world.engine.restart_to_die(point).await;
    let path = format!("/api/v1/admin/events{path}");
    assert!(world.engine.api.ask(Method::POST, &path, Some(body), None).await.is_err(), "{point}: nobody is there to answer");
    world.engine.died_at(point).await;
    world.engine.restart().await;
}

/// The same of a control of a run: whatever the moment, afterwards it is done once and the run is in that state.
async fn pressed(world: &mut World, points: [&str; 2], runs: [&str; 2], verb: &str, then: impl Fn(&Value) -> bool) {
    for (point, run) in points.into_iter().zip(runs) {
        let path = format!("/runs/{run}/{verb}");
        dies_of(world, point, &path, &json!({})).await;
        let run_before = world.engine.api.run(run).await;
        assert_eq!(then(&run_before), point.starts_with("append.after"), "{point}: {run_before}");
        if point.starts_with("append.before") {
            world.engine.api.post(&path, &json!({})).await.yes();
        }
        let event_type = point.rsplit('.').next().unwrap();
        assert_eq!(world.events(run, event_type).await.len(), 1, "{point}");
    }
}

#[tokio::test]
async fn what_people_do_with_a_run_is_done_once_or_not_at_all() {
    let mut world = World::new().await;
    let plan = event("cued", &[phase("all", &[cue(), hail()], "5m"), phase("end", &[hail_again()], "5m")]);
    let definition = world.engine.api.publish(&plan).await;
    let (one, two) = (world.engine.api.start(&definition).await, world.engine.api.start(&definition).await);
    for run in [&one, &two] {
        world.step_is(run, "cue", "running").await;
    }
    let runs = [one.as_str(), two.as_str()];
    let is = |status: &'static str| move |run: &Value| run["status"] == status;
    pressed(&mut world, ["append.before.run_paused", "append.after.run_paused"], runs, "pause", is("paused")).await;
    let skipped = |run: &Value| step(run, "cue")["status"] == "skipped";
    pressed(&mut world, ["append.before.step_skipped", "append.after.step_skipped"], runs, "steps/cue/skip", skipped).await;
    pressed(&mut world, ["append.before.run_resumed", "append.after.run_resumed"], runs, "resume", is("running")).await;
    world.advance(CLAIM).await;
    for run in runs {
        world.step_is(run, "hail", "done").await;
    }
    pressed(&mut world, ["append.before.run_cancelled", "append.after.run_cancelled"], runs, "cancel", is("cancelled")).await;
    world.finish().await;
}

fn hail_again() -> Value {
    let mut again = hail();
    again["key"] = json!("again");
    again
}

/// A step that the deployment refuses, and a person's retry of it.
#[tokio::test]
async fn what_is_refused_and_tried_again_is_on_record_once() {
    let mut world = World::new().await;
    let definition = world.engine.api.publish(&event("greedy", &[phase("all", &[orcs("band", 3)], "5m")])).await;
    for (refused, retried) in
        [("append.before.step_refused", "append.before.step_retried"), ("append.after.step_refused", "append.after.step_retried")]
    {
        world.engine.api.ask(Method::PUT, "/api/v1/admin/events/actions", Some(&switch(false)), None).await.unwrap().yes();
        dies_of(&mut world, refused, &format!("/{definition}/runs"), &json!({})).await;
        let run = match world.runs_of(&definition).await.pop().filter(|_| refused.starts_with("append.after")) {
            Some(run) => run,
            None => world.engine.api.start(&definition).await,
        };
        let paused = world.run_until(&run, "it is paused", |run| run["status"] == "paused").await;
        assert_eq!(step(&paused, "band")["status"], "refused");
        world.engine.enable_all().await;
        let retry = format!("/runs/{run}/steps/band/retry");
        dies_of(&mut world, retried, &retry, &json!({})).await;
        if retried.starts_with("append.before") {
            world.engine.api.post(&retry, &json!({})).await.yes();
        }
        world.advance(CLAIM).await;
        world.step_is(&run, "band", "done").await;
        assert_eq!((world.events(&run, "step_refused").await.len(), world.events(&run, "step_retried").await.len()), (1, 1));
        assert_eq!(world.shard.creatures_of(&run).await, 3);
        world.advance(300).await;
        world.ended(&run, "completed", "complete").await;
    }
    world.finish().await;
}

fn switch(enabled: bool) -> Value {
    json!({"action": "uo.creature.spawn", "enabled": enabled, "caps": {"uo.creatures": 60}})
}

/// A step that the game refuses, once with a person to decide and once with the end of the run; and one whose run is cancelled
/// while the game is at it.
#[tokio::test]
async fn what_the_game_refuses_and_what_is_abandoned_is_on_record_once() {
    let mut world = World::patient().await;
    let mut abort = orcs("band", 31);
    abort["onFailure"] = json!("abort");
    let failing = world.engine.api.publish(&event("failing", &[phase("all", &[abort], "5m")])).await;
    let points = ["append.before.step_failed", "append.after.step_failed", "append.before.run_failed", "append.after.run_failed"];
    for point in points {
        world.engine.kill9().await;
        world.engine.restart_to_die(point).await;
        drop(world.engine.api.try_start(&failing).await);
        world.engine.died_at(point).await;
        world.engine.restart().await;
        world.advance(CLAIM).await;
        let run = world.runs_of(&failing).await.pop().unwrap();
        world.ended(&run, "failed", "complete").await;
        assert_eq!((world.events(&run, "step_failed").await.len(), world.events(&run, "run_failed").await.len()), (1, 1));
    }
    let held = world.engine.api.publish(&event("held", &[phase("all", &[orcs("band", 2)], "5m")])).await;
    for point in ["append.before.step_abandoned", "append.after.step_abandoned"] {
        world.shard.console("fault hold world.spawn").await;
        let run = world.engine.api.start(&held).await;
        world.wait_until("the game is at it", async || world.shard.console("status").await["deferred"] == 1).await;
        world.engine.api.cancel(&run, &json!({})).await.yes();
        world.engine.kill9().await;
        world.engine.restart_to_die(point).await;
        world.shard.console("fault release").await;
        world.advance(CLAIM).await;
        world.engine.died_at(point).await;
        world.engine.restart().await;
        world.advance(CLAIM).await;
        world.ended(&run, "cancelled", "complete").await;
        assert_eq!((world.events(&run, "step_abandoned").await.len(), world.shard.creatures_of(&run).await), (1, 0), "{point}");
    }
    world.finish().await;
}
