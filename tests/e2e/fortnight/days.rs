//! The days themselves: quarters of an hour, each with what players and staff do in it and what goes wrong.

use std::collections::BTreeMap;
use std::time::Instant;

use chrono::{DateTime, TimeDelta, Utc};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

use super::blows::{Blow, draw};
use super::programme::{self, BEGINNING, Item};
use crate::world::{Engine, World};

const QUARTER: u32 = 15 * 60;
/// Whatever takes longer has failed.
const HANGS: std::time::Duration = std::time::Duration::from_secs(90);
/// After this, what the server does after half a minute is done for it: whoever fell asleep in a transaction loses it.
const SOON: std::time::Duration = std::time::Duration::from_secs(1);
/// Quarters of an hour after which everything has come to rest.
const PATIENCE: u32 = 96;

pub struct Days {
    pub world: World,
    pub items: Vec<Item>,
    pub from: DateTime<Utc>,
    pub to: DateTime<Utc>,
    /// How often each kind of blow was struck.
    pub struck: BTreeMap<&'static str, u32>,
    chance: StdRng,
    /// For how many quarters of an hour each engine sleeps on.
    asleep: [u32; 2],
    nobody: u32,
}

impl Days {
    pub async fn begin(seed: u64, length: i64) -> Self {
        let mut world = World::on_its_own_server(BEGINNING).await;
        world.another_engine().await;
        let items = programme::publish(&world).await;
        let from: DateTime<Utc> = BEGINNING.parse().unwrap();
        let (to, struck, chance) = (from + TimeDelta::days(length), BTreeMap::new(), StdRng::seed_from_u64(seed));
        Self { world, items, from, to, struck, chance, asleep: [0; 2], nobody: 0 }
    }

    pub async fn pass(&mut self) {
        while self.world.clock.now().await < self.to {
            self.wake_whose_time_has_come().await;
            if let Some(blow) = draw(&mut self.chance) {
                println!("{} {blow:?}", self.world.clock.now().await);
                *self.struck.entry(blow.kind()).or_default() += 1;
                self.strike(blow).await;
            }
            let (players, starts) = (self.chance.random_range(0..4), self.chance.random_range(0..10));
            self.players_and_staff(players, starts).await;
            self.quarter().await;
        }
    }

    /// A quarter of an hour, and everything in it that anybody is there to do.
    async fn quarter(&mut self) {
        drop(self.world.shard.try_console(&format!("clock +{QUARTER}")).await);
        self.world.clock.advance(QUARTER).await;
        self.nothing_is_due().await;
    }

    /// Waits until what is due is done, for as long as somebody is there to do it; whoever dies meanwhile is started again.
    async fn nothing_is_due(&mut self) {
        let (begun, mut hastened) = (Instant::now(), false);
        while self.nobody == 0 && self.due().await > 0 {
            self.bury_the_dead().await;
            if begun.elapsed() > SOON && !hastened {
                hastened = true;
                self.world.end_idle_transactions().await;
            }
            assert!(begun.elapsed() < HANGS, "what is due is left undone\n{}", self.world.picture().await);
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }

    async fn due(&self) -> i64 {
        let due = "select count(*) from public.staged, public.controlled_clock where due_at <= now";
        sqlx::query_scalar(due).fetch_one(self.world.log().await.pool()).await.unwrap()
    }

    async fn bury_the_dead(&mut self) {
        for second in [false, true] {
            let engine = self.engine(second);
            engine.bury();
            if !engine.is_running() {
                engine.restart().await;
            }
        }
        if self.world.shard.bury() {
            self.world.shard.restart(&self.world.link).await;
        }
    }

    fn engine(&mut self, second: bool) -> &mut Engine {
        if second { &mut self.world.others[0] } else { &mut self.world.engine }
    }

    async fn wake_whose_time_has_come(&mut self) {
        if self.nobody > 0 {
            self.nobody -= 1;
            if self.nobody > 0 {
                return;
            }
        }
        for (second, at) in [(false, 0), (true, 1)] {
            self.asleep[at] = self.asleep[at].saturating_sub(1);
            if self.asleep[at] == 0 && self.engine(second).is_running() && self.engine(second).is_asleep() {
                self.engine(second).resume();
            }
        }
        self.bury_the_dead().await;
        self.nothing_is_due().await;
    }

    async fn strike(&mut self, blow: Blow) {
        match blow {
            Blow::EngineKilled { second, doom } => {
                self.kill(second).await;
                match doom {
                    _ if self.nobody > 0 => {}
                    Some(point) => self.engine(second).restart_to_die(point).await,
                    None => self.engine(second).restart().await,
                }
            }
            Blow::EngineAsleep { second, quarters } => {
                let other_is_there = self.engine(!second).is_running() && !self.engine(!second).is_asleep();
                if other_is_there && self.engine(second).is_running() && !self.engine(second).is_asleep() {
                    self.engine(second).suspend();
                    self.asleep[usize::from(second)] = quarters + 1;
                }
            }
            Blow::NobodyThere { quarters } => {
                self.kill(false).await;
                self.kill(true).await;
                self.nobody = quarters + 1;
            }
            Blow::GameKilled => {
                if !self.world.shard.bury() {
                    self.world.shard.kill9().await;
                }
                self.world.shard.restart(&self.world.link).await;
            }
            Blow::GameDoomed { moment, kind } => drop(self.world.shard.try_console(&format!("fault {moment} {kind}")).await),
            Blow::AnswerLost { kind } => drop(self.world.shard.try_console(&format!("fault drop-ack {kind} 1")).await),
            Blow::LinkKilled => {
                self.world.link.kill9().await;
                self.world.link.restart().await;
                if !self.world.shard.bury() {
                    self.world.shard.on_the_line(&self.world.link).await;
                }
            }
            Blow::PostgresStopped => self.world.stop_postgresql_at_once().await,
        }
    }

    async fn kill(&mut self, second: bool) {
        self.engine(second).bury();
        self.asleep[usize::from(second)] = 0;
        if self.engine(second).is_running() {
            self.engine(second).kill9().await;
        }
    }

    /// A boss falls now and then, somebody starts something by hand, and staff see to what waits for them.
    async fn players_and_staff(&mut self, players: u32, starts: u32) {
        match players {
            0 => drop(self.world.shard.try_console("boss kill yew-orchard").await),
            1 => drop(self.world.shard.try_console("boss kill britain-bank").await),
            _ => {}
        }
        let Some(engine) = self.awake() else { return };
        if let Some(slug) = ["trust", "greedy"].get(starts as usize) {
            let id = &self.items.iter().find(|item| item.slug == *slug).unwrap().id;
            drop(engine.api.try_start(id).await);
        }
        self.see_to_what_waits().await;
    }

    fn awake(&self) -> Option<&Engine> {
        [&self.world.engine, &self.world.others[0]].into_iter().find(|engine| engine.is_running() && !engine.is_asleep())
    }

    /// Confirms what waits for a person, and cancels what stands still because something went wrong; whether all has ended.
    async fn see_to_what_waits(&self) -> bool {
        let Some(engine) = self.awake() else { return false };
        let mut rest = true;
        for run in super::recorded::open_runs(self.world.log().await).await {
            let detail = engine.api.glance(&run).await;
            rest = false;
            if detail["status"] == "paused" {
                drop(engine.api.try_cancel(&run).await);
            }
            let waits = |step: &&Value| step["parked"] == true || step["status"] == "awaiting_human";
            for step in detail["steps"].as_array().into_iter().flatten().filter(waits) {
                drop(engine.api.try_confirm(&run, step["key"].as_str().unwrap()).await);
            }
        }
        rest
    }

    /// No more blows: everybody is there, and time passes until what has begun has ended.
    pub async fn come_to_rest(&mut self) {
        drop(self.world.shard.try_console("fault clear").await);
        for second in [false, true] {
            self.kill(second).await;
        }
        self.nobody = 0;
        self.bury_the_dead().await;
        self.world.shard.on_the_line(&self.world.link).await;
        self.world.the_games_life_is_known().await;
        self.nothing_is_due().await;
        // What would start after the window is none of this test's.
        let freeze =
            json!({"from": self.to.to_rfc3339(), "to": (self.to + TimeDelta::days(2)).to_rfc3339(), "reason": "it is over"});
        self.world.engine.api.post("/freezes", &freeze).await.yes();
        let mut quarters = 0;
        while !self.see_to_what_waits().await {
            quarters += 1;
            assert!(quarters < PATIENCE, "it does not come to rest\n{}", self.world.picture().await);
            self.quarter().await;
        }
    }
}
