//! The wire between the server and its sidecar, with a hand on it: what the server is told and what it answers can be lost, come late,
//! or be nonsense.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::routing;
use leasehold_module::conformance::Point;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;

/// What was done to it, and what has passed.
#[derive(Default)]
struct Meddled {
    /// What the next command of a kind is to meet.
    fault: Option<(Point, &'static str)>,
    /// The kinds of commands that have passed, by what their answers tell.
    kinds: BTreeMap<String, String>,
    /// Commands that are held up.
    held: BTreeMap<String, Value>,
    /// Commands that are given on after all.
    due: Vec<Value>,
    answered: BTreeSet<String>,
}

#[derive(Clone)]
pub struct Wire {
    sidecar: String,
    /// Where the server finds it.
    pub address: String,
    meddled: Arc<Mutex<Meddled>>,
    given_on: Arc<Notify>,
    client: reqwest::Client,
}

impl Wire {
    /// To the sidecar at that address.
    pub async fn to(sidecar: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let wire = Self { sidecar: sidecar.to_owned(), address, meddled: Arc::default(), given_on: Arc::default(), client };
        let hello = |State(wire): State<Self>, request: Request| async move { wire.hello(request).await };
        let poll = |State(wire): State<Self>, headers: HeaderMap, body: Bytes| async move { wire.poll(&headers, &body).await };
        let router = axum::Router::new()
            .route("/game/hello", routing::post(hello))
            .route("/game/poll", routing::post(poll))
            .with_state(wire.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        wire
    }

    /// The next command of that kind meets this.
    pub fn meets(&self, point: Point, kind: &'static str) {
        self.meddled.lock().unwrap().fault = Some((point, kind));
    }

    /// Nothing is met any more, and what was held up is forgotten.
    pub fn clear(&self) {
        let mut meddled = self.meddled.lock().unwrap();
        meddled.fault = None;
        meddled.held.clear();
    }

    /// What was held up is given on, late; what their answers will tell.
    pub fn give_on(&self) -> Vec<String> {
        let mut meddled = self.meddled.lock().unwrap();
        meddled.fault = None;
        let held = std::mem::take(&mut meddled.held);
        let ids = held.keys().cloned().collect();
        meddled.due.extend(held.into_values());
        self.given_on.notify_one();
        ids
    }

    /// Whether a command was answered.
    pub fn is_answered(&self, id: &str) -> bool {
        self.meddled.lock().unwrap().answered.contains(id)
    }

    /// Whether a command is held up.
    pub fn holds(&self) -> bool {
        !self.meddled.lock().unwrap().held.is_empty()
    }

    async fn hello(&self, request: Request) -> (StatusCode, String) {
        let headers = request.headers().clone();
        let body = axum::body::to_bytes(request.into_body(), usize::MAX).await.unwrap();
        self.forward("/game/hello", &headers, body.to_vec()).await
    }

    async fn poll(&self, headers: &HeaderMap, body: &Bytes) -> impl IntoResponse + use<> {
        let mut said: Value = serde_json::from_slice(body).unwrap();
        let frames = said["frames"].as_array_mut().unwrap();
        frames.retain_mut(|frame| self.meddled.lock().unwrap().passes(frame));
        let answer = tokio::select! {
            answer = self.forward("/game/poll", headers, said.to_string().into_bytes()) => answer,
            () = self.given_on.notified() => (StatusCode::OK, r#"{"commands": []}"#.to_owned()),
        };
        let (status, text) = answer;
        let Ok(mut told) = serde_json::from_str::<Value>(&text) else { return (status, text) };
        if let Some(commands) = told["commands"].as_array_mut() {
            self.meddled.lock().unwrap().gives(commands);
        }
        (status, told.to_string())
    }

    async fn forward(&self, path: &str, headers: &HeaderMap, body: Vec<u8>) -> (StatusCode, String) {
        let mut request = self.client.post(format!("http://{}{path}", self.sidecar)).body(body);
        for name in ["authorization", "content-type"] {
            if let Some(value) = headers.get(name) {
                request = request.header(name, value);
            }
        }
        let Ok(answer) = request.send().await else { return (StatusCode::BAD_GATEWAY, String::new()) };
        (answer.status(), answer.text().await.unwrap_or_default())
    }
}

impl Meddled {
    /// What the server says, which may be changed; whether it goes on.
    fn passes(&mut self, frame: &mut Value) -> bool {
        let Some(id) = correlation(frame) else { return true };
        let kind = self.kinds.get(&id).cloned().unwrap_or_default();
        let fault = self.fault.filter(|(_, faulty)| *faulty == kind).map(|(point, _)| point);
        match fault {
            Some(Point::AnswerLost) => {
                self.fault = None;
                return false;
            }
            Some(Point::Nonsense) => {
                self.fault = None;
                *frame = json!({"kind": "moon.phase", "t": frame["t"], "reqId": frame["reqId"]});
            }
            _ => {}
        }
        self.answered.insert(id);
        true
    }

    /// What the server is given: less what is held up, and what was and is so no longer.
    fn gives(&mut self, commands: &mut Vec<Value>) {
        commands.retain(|command| {
            let frame = &command["frame"];
            let Some(id) = correlation(frame) else { return true };
            let kind = frame["kind"].as_str().unwrap_or_default().to_owned();
            let faulty =
                self.fault.is_some_and(|(point, faulty)| faulty == kind && matches!(point, Point::DiesBefore | Point::Late));
            self.kinds.insert(id.clone(), kind);
            if faulty {
                self.fault = None;
                self.held.insert(id.clone(), command.clone());
            }
            !self.held.contains_key(&id)
        });
        let known: BTreeSet<String> = commands.iter().filter_map(|command| correlation(&command["frame"])).collect();
        let late = std::mem::take(&mut self.due);
        commands.extend(late.into_iter().filter(|command| correlation(&command["frame"]).is_some_and(|id| !known.contains(&id))));
        commands.sort_by_key(|command| command["n"].as_u64());
    }
}

/// What an answer is told by.
fn correlation(frame: &Value) -> Option<String> {
    ["reqId", "code", "id"].iter().find_map(|field| frame[*field].as_str()).map(str::to_owned)
}
