//! Replays every transcript of the specification against the game: the test is the link and sits at the console.

use crate::{
    support::{Bench, CONSENTS, Line as Connection, Shard},
    transcript::{Line, Transcript, transcripts},
};
use leasehold_link::wire::{Kind, LINK_ERROR, Method, Reply};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Fields whose value is another at each run.
const LOOSE: [&str; 10] = ["seq", "t", "bootId", "untilMs", "closedMs", "atMs", "happenedAt", "eventId", "tookMs", "firstMs"];

struct Replay {
    bench: Bench,
    shard: Shard,
    connection: Option<Connection>,
    /// Shown serials to the real ones.
    serials: HashMap<String, String>,
    /// Keyed commands sent to this boot.
    keyed: u64,
}

#[tokio::test]
async fn the_game_does_what_the_specification_shows() {
    let mut replayed = 0;
    for transcript in transcripts().into_iter().filter(|transcript| !transcript.name.contains("link only")) {
        replay(&transcript).await;
        replayed += 1;
    }
    assert!(replayed >= 12, "{replayed} transcripts found");
}

async fn replay(transcript: &Transcript) {
    let bench = Bench::new(if transcript.name == "without consent" { &[] } else { CONSENTS }).await;
    let shard = bench.shard();
    let connection = if transcript.says_hello() { None } else { Some(bench.welcome().await) };
    let mut replay = Replay { bench, shard, connection, serials: HashMap::new(), keyed: 0 };
    for line in &transcript.lines {
        let at = format!("{}: {line:?}", transcript.name);
        match line.clone() {
            Line::EngineAsks { path, body } => {
                let path = path.split('?').next().unwrap();
                let of_path = Kind::ALL.into_iter().filter(|kind| kind.has_path(path));
                assert!(of_path.map(|kind| kind.route().0 == Method::Post).any(|posts| posts == body.is_some()), "{at}");
            }
            Line::EngineIsTold { status, body } => {
                let told = Reply::read(body).expect(&at);
                assert!(told.kind == LINK_ERROR || told.disposition().status() == status, "{at}");
            }
            Line::Link(frame) => replay.link_says(frame).await,
            Line::Game(frame) => replay.game_says(&frame, &at).await,
            Line::Console(command) => {
                replay.settled().await;
                replay.shard.does(&command).await;
            }
            Line::GameDies => {
                replay.settled().await;
                replay.shard.kill().await;
                replay.shard = replay.bench.shard();
                replay.keyed = 0;
            }
        }
    }
}

impl Replay {
    async fn link_says(&mut self, frame: Map<String, Value>) {
        self.keyed += u64::from(frame.contains_key("idempotencyKey"));
        let frame = self.with_real_serials(&Value::Object(frame));
        self.connection.as_mut().unwrap().send(&frame).await;
    }

    async fn game_says(&mut self, shown: &Map<String, Value>, at: &str) {
        let said = if shown["kind"] == "server.hello" {
            let connection = self.bench.accept().await;
            let hello = connection.hello.clone();
            self.connection = Some(connection);
            hello
        } else {
            self.connection.as_mut().unwrap().next_like(shown).await.expect(at)
        };
        let said: Map<String, Value> = serde_json::from_value(said).unwrap();
        if let (Some(shown), Some(said)) = (shown.get("serials"), said.get("serials")) {
            for (shown, said) in shown.as_array().unwrap().iter().zip(said.as_array().unwrap()) {
                self.serials.insert(shown.as_str().unwrap().to_owned(), said.as_str().unwrap().to_owned());
            }
        }
        if let (Some(shown), Some(said)) = (shown.get("serial"), said.get("serial")) {
            self.serials.insert(shown.as_str().unwrap().to_owned(), said.as_str().unwrap().to_owned());
        }
        let shown = self.with_real_serials(&Value::Object(shown.clone()));
        assert_eq!(without_loose(&Value::Object(said)), without_loose(&shown), "{at}");
    }

    /// Waits until the game has judged every keyed command that it was sent.
    async fn settled(&self) {
        self.shard.until("/idempotency/seen", json!(self.keyed)).await;
    }

    fn with_real_serials(&self, shown: &Value) -> Value {
        match shown {
            Value::String(text) => self.serials.get(text).unwrap_or(text).as_str().into(),
            Value::Array(items) => items.iter().map(|item| self.with_real_serials(item)).collect(),
            Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), self.with_real_serials(value))).collect(),
            plain => plain.clone(),
        }
    }
}

/// The same with the type of each loose field in its place.
fn without_loose(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_loose).collect(),
        Value::Object(fields) => {
            let strip = |(name, value): (&String, &Value)| match value {
                Value::Number(_) if LOOSE.contains(&name.as_str()) => (name.clone(), "a number".into()),
                Value::String(_) if LOOSE.contains(&name.as_str()) => (name.clone(), "a text".into()),
                value => (name.clone(), without_loose(value)),
            };
            fields.iter().map(strip).collect()
        }
        plain => plain.clone(),
    }
}
