//! A hundred definitions due at one instant, four engines, and some of them stopped and started in the middle of it.

use std::collections::BTreeSet;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::json;

use crate::world::plans::{event, orcs, phase};
use crate::world::{Engine, World};

const MANY: usize = 100;
const DAY: u32 = 86_400;

/// Days on which all of them fall due; many in a soak.
fn rounds() -> usize {
    if std::env::var_os("LEASEHOLD_SOAK").is_some() { 20 } else { 1 }
}

fn any_engine<'a>(world: &'a mut World, chance: &mut StdRng) -> &'a mut Engine {
    match chance.random_range(0..4) {
        0 => &mut world.engine,
        nth => &mut world.others[nth - 1],
    }
}

/// Field report S05.
#[tokio::test]
async fn due_at_one_instant_on_four_engines_are_each_done_once_whoever_stops_and_starts() {
    let (mut world, mut chance) = (World::new().await, StdRng::seed_from_u64(5));
    for _ in 0..3 {
        world.another_engine().await;
    }
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let mut definitions = Vec::new();
    for number in 0..MANY {
        let mut plan = event(&format!("of-many-{number}"), &[phase("all", &[orcs("raid", 1)], "5m")]);
        plan["spec"]["schedule"] = json!({"kind": "weekly", "days": days, "time": "13:10", "until": "2027-03-25"});
        let definition = world.engine.api.publish(&plan).await;
        world.engine.api.verify(&definition).await;
        definitions.push(definition);
    }
    world.the_scheduler_has_read_everything().await;
    for round in 1..=rounds() {
        if round > 1 {
            world.advance(DAY - 990).await;
        }
        let before = any_engine(&mut world, &mut chance);
        before.stop().await;
        world.advance(600).await;
        let killed = any_engine(&mut world, &mut chance);
        if killed.is_running() {
            killed.kill9().await;
        }
        for engine in std::iter::once(&mut world.engine).chain(&mut world.others) {
            if !engine.is_running() {
                engine.restart().await;
            }
        }
        // What the dead one had claimed is taken over when its claims are over.
        world.advance(90).await;
        world.nothing_is_due().await;
        let made = MANY * round;
        world.wait_until("every step is done", async || count(&world, "step_done").await == made).await;
        world.advance(300).await;
        world.wait_until("every run has ended", async || count(&world, "run_completed").await == made).await;
        world.wait_until("and given back", async || count(&world, "cleanup_completed").await == made).await;
        assert_eq!(count(&world, "run_started").await, made, "round {round}");
        let spawns = world.shard.audit().into_iter().filter(|row| row.kind == "world.spawn" && row.outcome == "applied");
        let keys: Vec<String> = spawns.filter_map(|row| row.key).collect();
        let distinct: BTreeSet<&String> = keys.iter().collect();
        assert_eq!((keys.len(), distinct.len()), (made, made), "round {round}: effects, and keys");
    }
    for definition in &definitions {
        let started = "select count(*) from public.events s join public.events e on e.aggregate_id = s.aggregate_id
                       where s.event_type = 'run_scheduled' and s.payload -> 'run' ->> 'definition_id' = $1 and e.event_type = 'run_started'";
        let started = sqlx::query_scalar::<_, i64>(started).bind(definition);
        assert_eq!(usize::try_from(started.fetch_one(world.log().await.pool()).await.unwrap()).unwrap(), rounds());
    }
    world.finish().await;
}

/// Events of runs of that type, ever.
async fn count(world: &World, event_type: &str) -> usize {
    let events =
        sqlx::query_scalar::<_, i64>("select count(*) from public.events where aggregate_type = 'run' and event_type = $1");
    usize::try_from(events.bind(event_type).fetch_one(world.log().await.pool()).await.unwrap()).unwrap()
}
