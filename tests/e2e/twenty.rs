//! Twenty occurrences due at one instant, on two engines, one of which sleeps past its claims and wakes.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::world::plans::{event, once, orcs, phase};
use crate::world::{World, step};

const MANY: usize = 20;

#[tokio::test]
async fn at_one_instant_are_twenty_runs_twenty_keys_and_twenty_effects() {
    let mut world = World::patient().await;
    world.another_engine().await;
    let mut runs = Vec::new();
    for number in 0..MANY {
        let plan = event(&format!("twenty-{number}"), &[phase("all", &[orcs("raid", 1)], "30m")]);
        let definition = world.engine.api.publish(&once(plan, "2027-03-01T13:10")).await;
        world.engine.api.verify(&definition).await;
        runs.push((world.run_of(&definition).await, definition));
    }
    world.shard.console("fault hold world.spawn").await;
    world.advance(600).await;
    world.wait_until("the game is at all of them", async || world.shard.console("status").await["deferred"] == MANY).await;
    world.others[0].suspend();
    // For the engines alone: what the game holds is not too old for it yet.
    world.clock.advance(80).await;
    for (run_id, _) in &runs {
        let second = |run: &Value| step(run, "raid")["attempts"] == 2 && step(run, "raid")["nextTryAt"].is_string();
        world.run_until(run_id, "the other engine found the game at it", second).await;
    }
    world.shard.console("fault release").await;
    world.wait_until("the game has done it", async || applied(&world).len() == MANY).await;
    world.others[0].resume();
    world.advance(60).await;
    for (run_id, definition) in &runs {
        let run = world.step_is(run_id, "raid", "done").await;
        assert_eq!((step(&run, "raid")["attempts"].clone(), world.runs_of(definition).await.len()), (3.into(), 1));
    }
    let keys: BTreeSet<String> = applied(&world).into_iter().collect();
    assert_eq!((keys.len(), applied(&world).len()), (MANY, MANY), "as many keys as effects as runs");
    world.advance(30 * 60).await;
    for (run_id, _) in &runs {
        world.ended(run_id, "completed", "complete").await;
        assert_eq!(world.shard.creatures_of(run_id).await, 0);
    }
    world.finish().await;
}

/// The keys of the spawns that took effect.
fn applied(world: &World) -> Vec<String> {
    let rows = world.shard.audit().into_iter().filter(|row| row.kind == "world.spawn" && row.outcome == "applied");
    rows.filter_map(|row| row.key).collect()
}
