//! The engine is killed, at every point where it matters: nothing is doubled, nothing is left, no attempt is forgotten.

use serde_json::{Value, json};

use crate::world::plans::{event, phase, raid, skill};
use crate::world::{World, borrowed, step};

/// Seconds beyond the longest claim: an undo's twice fifteen, and a margin of a minute.
const CLAIM: u32 = 100;

/// The run that was begun just before the engine died.
async fn only_run(world: &World, definition: &str) -> String {
    let runs = world.runs_of(definition).await;
    assert_eq!(runs.len(), 1, "{runs:?}");
    runs.into_iter().next().unwrap()
}

async fn gives_everything_back(world: &World, run_id: &str) -> Value {
    let run = world.ended(run_id, "completed", "complete").await;
    assert_eq!(run["unresolvedResources"], 0);
    assert_eq!(world.shard.creatures_of(run_id).await, 0);
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1000");
    run
}

/// A run whose first attempt at a step dies at `point`, and what the game has seen of that step's kind at the end.
async fn dies_in_dispatch(point: &str, kind: &str, first: Value, seen_at_death: &[&str], seen: &[&str]) {
    let mut world = World::doomed(point).await;
    let key = first["key"].as_str().unwrap().to_owned();
    let definition = world.engine.api.publish(&event("doomed", &[phase("all", &[first], "30m")])).await;
    drop(world.engine.api.try_start(&definition).await);
    world.engine.died_at(point).await;
    let run_id = only_run(&world, &definition).await;
    assert_eq!(world.shard.outcomes(kind), seen_at_death);

    world.engine.restart().await;
    let run = world.engine.api.run(&run_id).await;
    assert_eq!(
        (&step(&run, &key)["status"], &step(&run, &key)["attempts"]),
        (&json!("running"), &json!(1)),
        "its claim still runs"
    );
    world.advance(CLAIM).await;
    let run = world.step_is(&run_id, &key, "done").await;
    assert_eq!(step(&run, &key)["attempts"], 2, "the attempt that died counts");
    assert_eq!(run["health"], "degraded");
    assert_eq!(world.shard.outcomes(kind), seen);

    world.advance(30 * 60).await;
    gives_everything_back(&world, &run_id).await;
    world.finish().await;
}

#[tokio::test]
async fn before_a_spawn_is_sent() {
    dies_in_dispatch("dispatch.before", "world.spawn", raid(), &[], &["applied"]).await;
}

#[tokio::test]
async fn before_a_value_is_borrowed() {
    dies_in_dispatch("dispatch.before", "lease.apply", skill(), &[], &["applied"]).await;
}

#[tokio::test]
async fn after_a_spawn_and_before_its_answer_is_recorded() {
    dies_in_dispatch("dispatch.answered", "world.spawn", raid(), &["applied"], &["applied", "replayed"]).await;
}

#[tokio::test]
async fn after_a_value_is_borrowed_and_before_its_answer_is_recorded() {
    dies_in_dispatch("dispatch.answered", "lease.apply", skill(), &["applied"], &["applied", "replayed"]).await;
}

/// Field report Q03.
#[tokio::test]
async fn by_the_same_step_each_time_until_its_attempts_are_used_up() {
    let mut world = World::doomed("dispatch.answered").await;
    let definition = world.engine.api.publish(&event("killer", &[phase("all", &[raid()], "30m")])).await;
    drop(world.engine.api.try_start(&definition).await);
    world.engine.died_at("dispatch.answered").await;
    let run_id = only_run(&world, &definition).await;
    for _ in 2..=3 {
        world.advance(CLAIM).await;
        world.engine.restart_to_die("dispatch.answered").await;
        world.engine.died_at("dispatch.answered").await;
    }
    world.advance(CLAIM).await;
    world.engine.restart().await;
    let run = world.step_is(&run_id, "raid", "failed").await;
    assert_eq!((&run["status"], &step(&run, "raid")["attempts"]), (&json!("paused"), &json!(3)));
    assert_eq!(world.shard.outcomes("world.spawn"), ["applied", "replayed", "replayed"], "three dispatches and no fourth");
    world.engine.api.cancel(&run_id, &json!({})).await.yes();
    world.ended(&run_id, "cancelled", "complete").await;
    assert_eq!(world.shard.creatures_of(&run_id).await, 0);
    world.finish().await;
}

#[tokio::test]
async fn before_a_due_item_is_taken_up() {
    let mut world = World::doomed("due.before").await;
    let plan = event("overdue", &[phase("first", &[skill()], "10m"), phase("second", &[raid()], "10m")]);
    let run_id = world.engine.api.start(&world.engine.api.publish(&plan).await).await;
    world.step_is(&run_id, "skill", "done").await;
    world.advance(600).await;
    world.engine.died_at("due.before").await;
    world.engine.restart().await;
    let run = world.step_is(&run_id, "raid", "done").await;
    assert_eq!(step(&run, "raid")["attempts"], 1);
    world.advance(600).await;
    let run = gives_everything_back(&world, &run_id).await;
    assert_eq!(run["health"], "ok", "a late hand on the clock is no fault of the run");
    assert_eq!(world.events(&run_id, "gate_satisfied").await.len(), 2);
    world.finish().await;
}

/// A run whose engine dies at `point` of its first undo, which is the one of the raid.
async fn dies_in_teardown(point: &str, despawns_at_death: &[&str], despawns: &[&str]) {
    let mut world = World::doomed(point).await;
    let definition = world.engine.api.publish(&event("torn-down", &[phase("all", &[skill(), raid()], "30m")])).await;
    let run_id = world.engine.api.start(&definition).await;
    world.step_is(&run_id, "raid", "done").await;
    world.advance(30 * 60).await;
    world.engine.died_at(point).await;
    assert_eq!(world.shard.outcomes("world.despawn"), despawns_at_death);
    assert_eq!(world.shard.config("PlayerCaps.SkillCap").await, "1200");

    world.engine.restart().await;
    assert_eq!(world.engine.api.run(&run_id).await["cleanupStatus"], "pending");
    world.advance(CLAIM).await;
    let run = gives_everything_back(&world, &run_id).await;
    let attempts = |resource: &Value| resource["revertAttempts"].clone();
    let creatures = run["resources"].as_array().unwrap().iter().filter(|resource| resource["kind"] == "creature");
    assert_eq!(creatures.map(attempts).collect::<Vec<_>>(), vec![json!(2); 12], "the attempt that died counts");
    assert_eq!(attempts(borrowed(&run)), 1);
    assert_eq!(world.shard.outcomes("world.despawn"), despawns);
    assert_eq!(world.shard.outcomes("lease.release"), ["applied", "restored"]);
    world.finish().await;
}

#[tokio::test]
async fn before_an_undo_is_sent() {
    dies_in_teardown("undo.before", &[], &["applied"]).await;
}

#[tokio::test]
async fn between_closing_the_run_and_its_first_undo() {
    dies_in_teardown("undo.closed", &[], &["applied"]).await;
}

#[tokio::test]
async fn after_an_undo_and_before_its_answer_is_recorded() {
    dies_in_teardown("undo.answered", &["applied"], &["applied", "replayed"]).await;
}
