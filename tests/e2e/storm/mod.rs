//! Storms: many runs, and every fault that there is, in an order drawn from a seed. After each the books are clean, and the world
//! is as it was but for what the ledger names.
//!
//! `LEASEHOLD_STORM_SEEDS=20` draws twenty storms instead of two, `LEASEHOLD_STORM_FROM=7` begins with the seventh, and
//! `LEASEHOLD_SOAK` draws a hundred; each is told by its seed.

mod blows;
mod judged;
mod plans;

use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use crate::world::World;
use judged::Before;

/// Blows of one storm.
const BLOWS: u32 = 30;
/// How often time is let pass until everything has come to rest.
const PATIENCE: u32 = 60;

struct Storm {
    world: World,
    chance: StdRng,
    definitions: Vec<String>,
    runs: Vec<String>,
    before: Before,
    /// The last save but one, for the game to go back to.
    older: Option<String>,
    saved: Option<String>,
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

#[tokio::test]
async fn leaves_nothing_doubled_and_nothing_that_the_ledger_does_not_name() {
    let usual = if std::env::var_os("LEASEHOLD_SOAK").is_some() { 100 } else { 2 };
    let (from, seeds) = (number("LEASEHOLD_STORM_FROM").unwrap_or(1), number("LEASEHOLD_STORM_SEEDS").unwrap_or(usual));
    for seed in from..from + seeds {
        let mut storm = Storm::gather(seed).await;
        for _ in 0..BLOWS {
            storm.blow().await;
        }
        storm.pass().await;
        storm.judge().await;
        storm.world.finish().await;
    }
}

impl Storm {
    async fn gather(seed: u64) -> Self {
        println!("storm {seed}");
        let mut world = World::new().await;
        world.another_engine().await;
        for action in plans::ACTIONS {
            world.engine.api.enable(action, &json!({})).await;
        }
        let mut definitions = Vec::new();
        for plan in plans::all() {
            definitions.push(world.engine.api.publish(&plan).await);
        }
        let before = Before::of(&world).await;
        let chance = StdRng::seed_from_u64(seed);
        Self { world, chance, definitions, runs: Vec::new(), before, older: None, saved: None }
    }

    /// The storm is over: the dead and the doomed start again and the sleepers wake, people see to what waits for them, and time
    /// passes until all is at rest. Whoever has lived through it is not started anew.
    async fn pass(&mut self) {
        drop(self.world.shard.try_console("fault clear").await);
        self.bury_the_dead().await;
        for engine in [&mut self.world.engine, &mut self.world.others[0]] {
            if engine.is_doomed() {
                engine.kill9().await;
            }
            if !engine.is_running() {
                engine.restart().await;
            } else if engine.is_asleep() {
                engine.resume();
            }
        }
        self.world.shard.on_the_line(&self.world.link).await;
        self.world.the_games_life_is_known().await;
        let mut rounds = 0;
        while !self.at_rest().await {
            rounds += 1;
            assert!(rounds < PATIENCE, "the storm does not pass\n{}", self.world.picture().await);
            self.world.advance(80).await;
            self.world.nothing_is_due().await;
        }
        let all = self.world.streams("run").await;
        for run in &self.runs {
            assert!(all.contains(run), "run {run} was said to start and is not in the log");
        }
    }

    /// A person has every teardown that has stopped tried anew, and time passes until all is at rest.
    async fn ask_for_cleanup_once_more(&mut self) {
        for run in self.world.streams("run").await {
            if self.world.engine.api.glance(&run).await["cleanupStatus"] == "incomplete" {
                self.world.engine.api.post(&format!("/runs/{run}/cleanup"), &json!({})).await.yes();
            }
        }
        self.pass().await;
    }

    /// Cancels what waits for a person; whether everything has ended and every teardown too.
    async fn at_rest(&self) -> bool {
        let mut at_rest = true;
        for run in self.world.streams("run").await {
            let detail = self.world.engine.api.glance(&run).await;
            if detail["status"] == "paused" || detail["waitingSteps"].as_u64() > Some(0) {
                self.world.engine.api.cancel(&run, &json!({"reason": "the storm is over"})).await;
            }
            at_rest &= has_ended(&detail);
        }
        at_rest
    }
}

fn has_ended(run: &Value) -> bool {
    let ended = ["completed", "cancelled", "failed"].iter().any(|status| run["status"] == *status);
    ended && run["cleanupStatus"] != "pending"
}
