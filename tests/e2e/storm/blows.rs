//! What a storm does to whoever has to withstand it.

use rand::Rng;
use rand::seq::IndexedRandom;

use super::Storm;
use crate::world::Engine;

/// Where an engine may be doomed to die.
const POINTS: [&str; 6] = ["dispatch.before", "dispatch.answered", "due.before", "undo.before", "undo.closed", "undo.answered"];

const MOMENTS: [&str; 3] = ["crash-before", "crash-after", "crash-unsent"];

const KINDS: [&str; 8] = [
    "lease.apply",
    "lease.release",
    "world.spawn",
    "world.despawn",
    "world.gate",
    "participation.open",
    "admin.broadcast",
    "run.close",
];

impl Storm {
    /// One blow. What a dead or sleeping engine cannot be asked is left out.
    pub async fn blow(&mut self) {
        self.bury_the_dead().await;
        let blow = self.chance.random_range(0..18);
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
            14 => self.wipe().await,
            15 => self.go_back().await,
            _ => self.meddle().await,
        };
        println!("{told}");
    }

    pub async fn bury_the_dead(&mut self) {
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
            self.save().await;
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
        let verb = self.chance.random_range(0..4);
        match (verb, run, self.awake()) {
            (1, Some(run), Some(engine)) => {
                let status = engine.api.try_cancel(&run).await.map(|answer| answer.status);
                format!("run {run} is cancelled: {status:?}")
            }
            (2, Some(run), Some(engine)) => {
                let status = engine.api.try_confirm(&run, "cue").await.map(|answer| answer.status);
                format!("the cue of {run} is confirmed: {status:?}")
            }
            (3, _, _) => {
                drop(self.world.shard.try_console("season set HarvestFair Seasonal").await);
                "staff put the fair off".to_owned()
            }
            _ => {
                let value = self.chance.random_range(800..1_100);
                drop(self.world.shard.try_console(&format!("config set PlayerCaps.SkillCap {value}")).await);
                format!("staff set the value to {value}")
            }
        }
    }

    /// The world as it is goes to disk, and the save before stays at hand.
    async fn save(&mut self) {
        if self.world.shard.try_console("save").await.is_ok() {
            self.older = self.saved.replace(self.world.shard.saved());
        }
    }

    /// The world is made anew, and saved as it is then.
    async fn wipe(&mut self) -> String {
        // Mostly it goes on: a wipe ends everything that could be lost.
        if self.chance.random_bool(0.6) || self.world.shard.try_console("wipe").await.is_err() {
            return "nobody wipes anything".to_owned();
        }
        self.older = self.saved.replace(self.world.shard.saved());
        "the world is wiped".to_owned()
    }

    /// The game dies, and starts from a save that is older than its last.
    async fn go_back(&mut self) -> String {
        let Some(older) = self.older.clone() else {
            self.save().await;
            return "the world is saved".to_owned();
        };
        if !self.world.shard.bury() {
            self.world.shard.kill9().await;
        }
        self.world.shard.put_back(&older);
        self.world.shard.restart(&self.world.link).await;
        "the game starts from an older save".to_owned()
    }
}
