//! A short storm: many runs, and every fault that there is, in an order drawn from a seed. After it the books are clean.
//!
//! `LEASEHOLD_STORM_SEEDS=20` draws twenty storms instead of one; each is told by its seed.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::world::plans::{cue, event, hail, orcs, phase, raid, shout, skill, wait};
use crate::world::{Engine, World};

/// Blows of one storm.
const BLOWS: u32 = 30;
/// How often time is let pass until everything has come to rest.
const PATIENCE: u32 = 60;

/// Where an engine may be doomed to die.
const POINTS: [&str; 6] = ["dispatch.before", "dispatch.answered", "due.before", "undo.before", "undo.closed", "undo.answered"];

const MOMENTS: [&str; 3] = ["crash-before", "crash-after", "crash-unsent"];

const KINDS: [&str; 6] = ["lease.apply", "lease.release", "world.spawn", "world.despawn", "admin.broadcast", "run.close"];

struct Storm {
    world: World,
    chance: StdRng,
    definitions: Vec<String>,
    runs: Vec<String>,
}

#[tokio::test]
async fn leaves_nothing_doubled_and_nothing_that_the_ledger_does_not_name() {
    let seeds = std::env::var("LEASEHOLD_STORM_SEEDS").ok().map_or(1, |seeds| seeds.parse().expect("a number of storms"));
    for seed in 1..=seeds {
        let mut storm = Storm::gather(seed).await;
        for _ in 0..BLOWS {
            storm.blow().await;
        }
        storm.pass().await;
        storm.world.finish().await;
    }
}

impl Storm {
    async fn gather(seed: u64) -> Self {
        let mut world = World::new().await;
        world.another_engine().await;
        let plans = [
            event("harvest", &[phase("gather", &[hail(), skill()], "3m"), phase("boss", &[raid()], "2m")]),
            event("raid", &[phase("all", &[shout(), orcs("few", 3), wait("2m"), orcs("more", 4)], "1m")]),
            event("cued", &[phase("all", &[orcs("few", 2), cue()], "1m"), phase("end", &[hail()], "1m")]),
        ];
        let mut definitions = Vec::new();
        for plan in &plans {
            definitions.push(world.engine.api.publish(plan).await);
        }
        println!("storm {seed}");
        Self { world, chance: StdRng::seed_from_u64(seed), definitions, runs: Vec::new() }
    }

    /// One blow. What a dead or sleeping engine cannot be asked is left out.
    async fn blow(&mut self) {
        self.bury_the_dead().await;
        let blow = self.chance.random_range(0..15);
        let told = match blow {
            0..=2 => self.start().await,
            3..=5 => {
                let seconds = self.chance.random_range(1..100);
                drop(self.world.shard.try_console(&format!("clock +{seconds}")).await);
                self.world.clock.advance(seconds).await;
                format!("{seconds} s pass")
            }
            6 => self.kill_and_start().await,
            7 => self.sleep_or_wake(),
            8 => self.break_the_link().await,
            9 => self.kill_the_game().await,
            10 | 11 => {
                let (kind, times) = (KINDS.choose(&mut self.chance).unwrap(), self.chance.random_range(1..3));
                drop(self.world.shard.try_console(&format!("fault drop-ack {kind} {times}")).await);
                format!("{times} answers to {kind} will be lost")
            }
            12 => {
                let (moment, kind) = (MOMENTS.choose(&mut self.chance).unwrap(), KINDS.choose(&mut self.chance).unwrap());
                drop(self.world.shard.try_console(&format!("fault {moment} {kind}")).await);
                format!("the game will {moment} {kind}")
            }
            13 => {
                self.world.terminate_sessions().await;
                "every session with the database ends".to_owned()
            }
            _ => self.meddle().await,
        };
        println!("{told}");
    }

    async fn bury_the_dead(&mut self) {
        self.world.engine.bury();
        self.world.others[0].bury();
        if self.world.shard.bury() {
            self.world.shard.restart(&self.world.link).await;
            println!("the game boots again");
        }
    }

    fn awake(&self) -> Option<&Engine> {
        [&self.world.engine, &self.world.others[0]].into_iter().find(|engine| engine.is_running() && !engine.is_asleep())
    }

    fn any_engine(&mut self) -> &mut Engine {
        let first = self.chance.random_bool(0.5);
        if first { &mut self.world.engine } else { &mut self.world.others[0] }
    }

    async fn start(&mut self) -> String {
        let definition = self.definitions.choose(&mut self.chance).unwrap().clone();
        let Some(engine) = self.awake() else { return "nobody is there to start a run".to_owned() };
        let Ok(answer) = engine.api.try_start(&definition).await else { return "an engine dies of a start".to_owned() };
        match answer.body["id"].as_str() {
            Some(run) => {
                self.runs.push(run.to_owned());
                format!("run {run} starts")
            }
            None => format!("no run starts: {}", answer.body),
        }
    }

    async fn kill_and_start(&mut self) -> String {
        let doom = if self.chance.random_bool(0.5) { POINTS.choose(&mut self.chance) } else { None };
        let engine = self.any_engine();
        if engine.is_running() {
            engine.kill9().await;
        }
        let Some(point) = doom else {
            engine.restart().await;
            return "an engine is killed and starts again".to_owned();
        };
        engine.restart_to_die(point).await;
        format!("an engine is killed and starts again, to die at {point}")
    }

    fn sleep_or_wake(&mut self) -> String {
        let engine = self.any_engine();
        match (engine.is_running(), engine.is_asleep()) {
            (false, _) => "a dead engine cannot sleep".to_owned(),
            (true, true) => {
                engine.resume();
                "an engine wakes".to_owned()
            }
            (true, false) => {
                engine.suspend();
                "an engine falls asleep".to_owned()
            }
        }
    }

    async fn break_the_link(&mut self) -> String {
        self.world.link.kill9().await;
        self.world.link.restart().await;
        "the link is killed and starts again".to_owned()
    }

    async fn kill_the_game(&mut self) -> String {
        if self.chance.random_bool(0.5) {
            drop(self.world.shard.try_console("save").await);
        }
        if !self.world.shard.bury() {
            self.world.shard.kill9().await;
        }
        self.world.shard.restart(&self.world.link).await;
        "the game is killed and boots from its save".to_owned()
    }

    /// A person does something: moves the value, cancels a run, confirms a cue.
    async fn meddle(&mut self) -> String {
        let run = self.runs.choose(&mut self.chance).cloned();
        let verb = self.chance.random_range(0..3);
        match (verb, run, self.awake()) {
            (1, Some(run), Some(engine)) => {
                let status = engine.api.try_cancel(&run).await.map(|answer| answer.status);
                format!("run {run} is cancelled: {status:?}")
            }
            (2, Some(run), Some(engine)) => {
                let status = engine.api.try_confirm(&run, "cue").await.map(|answer| answer.status);
                format!("the cue of {run} is confirmed: {status:?}")
            }
            _ => {
                let value = self.chance.random_range(800..1_100);
                drop(self.world.shard.try_console(&format!("config set PlayerCaps.SkillCap {value}")).await);
                format!("staff set the value to {value}")
            }
        }
    }

    /// The storm is over: everybody is there, people see to what waits for them, and time passes until all is at rest.
    async fn pass(&mut self) {
        drop(self.world.shard.try_console("fault clear").await);
        self.bury_the_dead().await;
        for engine in [&mut self.world.engine, &mut self.world.others[0]] {
            if engine.is_running() {
                engine.kill9().await;
            }
            engine.restart().await;
        }
        self.world.shard.on_the_line(&self.world.link).await;
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
