//! Replays every transcript of the specification against the sidecar: the test is the engine and the game.

use crate::{
    support::{Game, Sidecar},
    transcript::{Line, Transcript, transcripts},
};
use serde_json::{Map, Value};
use std::{collections::HashMap, sync::Arc};
use tokio::task::JoinHandle;

/// A request of the engine that waits for its answer, and the correlation that the specification shows for it.
struct Waiting {
    shown: Option<String>,
    answer: JoinHandle<(u16, Value)>,
}

struct Replay {
    sidecar: Arc<Sidecar>,
    game: Option<Game>,
    waiting: Vec<Waiting>,
    /// Shown correlation to the real one.
    req_ids: HashMap<String, String>,
}

#[tokio::test]
async fn the_sidecar_does_what_the_specification_shows() {
    let all = transcripts();
    assert!(all.len() >= 12, "{} transcripts found", all.len());
    for transcript in all {
        replay(&transcript).await;
    }
}

async fn replay(transcript: &Transcript) {
    let sidecar = Arc::new(Sidecar::start(10_000));
    let game = if transcript.says_hello() { None } else { Some(Game::connect(&sidecar, "boot").await) };
    let mut replay = Replay { sidecar, game, waiting: Vec::new(), req_ids: HashMap::new() };
    for line in &transcript.lines {
        let at = format!("{}: {line:?}", transcript.name);
        match line.clone() {
            Line::EngineAsks { path, body } => replay.ask(path, body),
            Line::EngineIsTold { status, body } => replay.told(status, body, &at).await,
            Line::Link(frame) => replay.link_says(frame, &at).await,
            Line::Game(frame) => replay.game_says(frame).await,
            Line::Console(command) if command == "disconnect" => replay.game = None,
            Line::Console(_) => (),
            Line::GameDies => replay.game = None,
        }
    }
    assert!(replay.waiting.is_empty(), "{}: a request is left without an answer", transcript.name);
}

impl Replay {
    fn ask(&mut self, path: String, body: Option<Value>) {
        let sidecar = Arc::clone(&self.sidecar);
        let answer = tokio::spawn(async move {
            match body {
                Some(body) => sidecar.post(&path, body).await,
                None => sidecar.get(&path).await,
            }
        });
        self.waiting.push(Waiting { shown: None, answer });
    }

    async fn told(&mut self, status: u16, mut body: Value, at: &str) {
        let shown = body["reqId"].as_str().map(str::to_owned);
        let of_body = |waiting: &Waiting| shown.is_some() && waiting.shown == shown;
        let place = self.waiting.iter().position(of_body).unwrap_or(self.waiting.len() - 1);
        let told = self.waiting.remove(place).answer.await.unwrap();
        if let Some(shown) = shown {
            body["reqId"] = self.req_ids[&shown].clone().into();
        }
        assert_eq!(told, (status, body), "{at}");
    }

    async fn link_says(&mut self, mut shown: Map<String, Value>, at: &str) {
        let mut said = self.heard(at).await;
        // That a report is on disk is told whenever it is so.
        while said["kind"] == "link.kept" && shown["kind"] != "link.kept" {
            said = self.heard(at).await;
        }
        if let Some(Value::String(req_id)) = shown.remove("reqId") {
            let real = said.remove("reqId").unwrap().as_str().unwrap().to_owned();
            self.req_ids.insert(req_id.clone(), real);
            self.waiting.last_mut().unwrap().shown = Some(req_id);
        }
        if let (Some(shown), Some(said)) = (shown.remove("ttlMs"), said.remove("ttlMs")) {
            assert!(said.as_u64().unwrap() <= shown.as_u64().unwrap(), "{at}");
        }
        assert_eq!(said, shown, "{at}");
        if said["kind"] == "link.welcome" {
            self.sidecar.until_connected(true).await;
        }
    }

    async fn heard(&mut self, at: &str) -> Map<String, Value> {
        serde_json::from_value(self.game.as_mut().unwrap().next().await.expect(at)).unwrap()
    }

    async fn game_says(&mut self, mut frame: Map<String, Value>) {
        if frame["kind"] == "server.hello" {
            self.game = Some(Game::dial(&self.sidecar).await);
        }
        if let Some(shown) = frame.get("reqId").and_then(Value::as_str) {
            let real = self.req_ids[shown].clone();
            frame.insert("reqId".into(), real.into());
        }
        self.game.as_mut().unwrap().send(&Value::Object(frame)).await;
    }
}
