//! A game on a directory of its own.

use crate::{
    clock::GameClock,
    console,
    core::{Core, Started, start},
    outbox::Outbox,
};
use leasehold_link::wire::Line;
use serde_json::{Value, json};
use std::{fs::File, path::Path, sync::Arc};
use tempfile::TempDir;
use tokio::{runtime::Handle, sync::mpsc::Receiver};

pub struct Bench {
    pub core: Core,
    pub clock: Arc<GameClock>,
    outbox: Outbox,
    said: Receiver<String>,
    next_req: u32,
    directory: TempDir,
    lock: File,
}

impl Bench {
    /// A game with both consents.
    pub fn new() -> Self {
        Self::with_consents(true, true)
    }

    pub fn with_consents(events: bool, admin: bool) -> Self {
        Self::on(tempfile::tempdir().unwrap(), 1_788_550_000_000, events, admin)
    }

    fn on(directory: TempDir, wall_ms: i64, enable_events: bool, enable_admin_write: bool) -> Self {
        let clock = Arc::new(GameClock::starting_at(wall_ms));
        let from = Started {
            directory: directory.path().to_owned(),
            boot_id: "boot".into(),
            seed: 7,
            config_file: None,
            enable_events,
            enable_admin_write,
            inert: Vec::new(),
        };
        let (core, lock) = start(from, Arc::clone(&clock), Handle::current()).unwrap();
        let (outbox, said, _) = Outbox::new();
        Self { core, clock, outbox, said, next_req: 0, directory, lock }
    }

    /// Another process on the same directory; what was only in memory is lost.
    pub fn restart(self) -> Self {
        let Self { core, clock, directory, lock, .. } = self;
        drop((core, lock));
        Self::on(directory, clock.now_ms(), true, true)
    }

    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// A line as it came, at this instant of the game's clock; gives what was said.
    pub fn line(&mut self, line: &[u8]) -> Vec<Value> {
        self.received(&Line::Whole(line.to_vec()), self.clock.now_ms())
    }

    pub fn received(&mut self, line: &Line, received_ms: i64) -> Vec<Value> {
        self.core.game.now_ms = self.clock.now_ms();
        self.core.expire().unwrap();
        self.core.receive(line, received_ms, &self.outbox).unwrap();
        self.core.settle_up().unwrap();
        self.said()
    }

    /// A command under a correlation of its own; gives its one answer.
    pub fn send(&mut self, command: Value) -> Value {
        let (req_id, mut said) = self.send_all(command);
        assert_eq!(said.len(), 1, "{said:?}");
        assert_eq!(said[0]["reqId"], req_id.as_str());
        said.remove(0)
    }

    /// The same where there may be no answer, or several.
    pub fn send_all(&mut self, mut command: Value) -> (String, Vec<Value>) {
        self.next_req += 1;
        let req_id = format!("r-{}", self.next_req);
        command["reqId"] = req_id.clone().into();
        (req_id, self.line(command.to_string().as_bytes()))
    }

    /// Commands that wait together, each under a correlation of its own, up to where their keys would be flushed.
    pub fn receive_together(&mut self, commands: &[Value]) {
        self.core.game.now_ms = self.clock.now_ms();
        for command in commands {
            self.next_req += 1;
            let mut command = command.clone();
            command["reqId"] = format!("r-{}", self.next_req).into();
            let line = Line::Whole(command.to_string().into_bytes());
            self.core.receive(&line, self.clock.now_ms(), &self.outbox).unwrap();
        }
    }

    /// The same to the end; gives all answers.
    pub fn send_together(&mut self, commands: &[Value]) -> Vec<Value> {
        self.receive_together(commands);
        self.core.settle_up().unwrap();
        self.said()
    }

    /// One tick of the world, at this instant of the game's clock.
    pub fn tick(&mut self) {
        self.core.game.now_ms = self.clock.now_ms();
        self.core.expire().unwrap();
        self.core.tick().unwrap();
        self.core.commit().unwrap();
    }

    /// A link is there from now on: what works is looked at, and reports are heard.
    pub fn hello(&mut self) {
        self.core.link = Some((1, self.outbox.clone()));
        self.core.tell_unkept();
        self.core.check_what_works();
        self.core.commit().unwrap();
    }

    /// What has been reported of that kind and not been heard yet; the rest is thrown away.
    pub fn reports(&mut self, kind: &str) -> Vec<Value> {
        self.said().into_iter().filter(|frame| frame["kind"] == kind && frame.get("reqId").is_none()).collect()
    }

    /// A character that somebody plays, at a landmark.
    pub fn player(&mut self, name: &str, landmark: &str) -> String {
        let serial = self.console(&format!("player create {name}"))["serial"].as_str().unwrap().to_owned();
        self.console(&format!("player connect {name}"));
        assert_eq!(self.console(&format!("player walk {name} {landmark}"))["ok"], true);
        serial
    }

    pub fn console(&mut self, line: &str) -> Value {
        self.core.game.now_ms = self.clock.now_ms();
        let told = self.core.obey(console::parse(line).unwrap()).unwrap();
        self.core.commit().unwrap();
        told
    }

    pub fn said(&mut self) -> Vec<Value> {
        std::iter::from_fn(|| self.said.try_recv().ok()).map(|line| serde_json::from_str(&line).unwrap()).collect()
    }

    /// Outcomes of the audit for a key.
    pub fn outcomes(&mut self, key: &str) -> Vec<String> {
        let rows = self.console("audit")["rows"].clone();
        let of_key = rows.as_array().unwrap().iter().filter(|row| row["key"] == key);
        of_key.map(|row| row["outcome"].as_str().unwrap().to_owned()).collect()
    }

    pub fn owned(&mut self, run: &str) -> u64 {
        self.console(&format!("creatures --run {run}"))["count"].as_u64().unwrap()
    }
}

pub fn spawn(key: &str, count: u32) -> Value {
    json!({"kind": "world.spawn", "map": "Felucca", "x": 540, "y": 992, "creature": "orc", "count": count, "runId": "77", "fence": 5,
        "ttlMs": 30_000, "idempotencyKey": key})
}

pub fn apply(key: &str, run: &str, hold_ms: u64) -> Value {
    json!({"kind": "lease.apply", "key": "PlayerCaps.SkillCap", "value": "1200", "holdMs": hold_ms, "untilMs": 0, "runId": run, "fence": 5,
        "ttlMs": 30_000, "idempotencyKey": key})
}

pub fn release(key: &str, run: &str) -> Value {
    json!({"kind": "lease.release", "key": "PlayerCaps.SkillCap", "applied": "1200", "runId": run, "fence": 0, "ttlMs": 30_000,
        "idempotencyKey": key})
}

pub fn open(key: &str, run: &str, radius: u32) -> Value {
    json!({"kind": "participation.open", "map": "Felucca", "x": 540, "y": 992, "radius": radius, "holdMs": 3_600_000, "runId": run,
        "fence": 5, "ttlMs": 30_000, "idempotencyKey": key})
}

/// `participation.snapshot` or `participation.close` of run 77.
pub fn of_run(kind: &str, key: &str) -> Value {
    json!({"kind": kind, "runId": "77", "fence": 0, "ttlMs": 3_600_000, "idempotencyKey": key})
}

pub fn close(fence: u64) -> Value {
    json!({"kind": "run.close", "runId": "77", "fence": fence})
}

pub fn error(answer: &Value) -> (&str, &str) {
    (answer["kind"].as_str().unwrap(), answer["error"].as_str().unwrap())
}
