//! The way out to the engine, for a host that opens no port: this sidecar asks the engine by long polls what it wants, does it
//! at its own routes, and tells the answers. Whatever an engine may ask of a sidecar that it reaches, it may ask of this one,
//! but for the endless stream.

use super::http::Held;
use axum::{
    Router,
    body::{Body, to_bytes},
    http::{
        HeaderName, HeaderValue, Request,
        header::{AUTHORIZATION, CONTENT_TYPE},
    },
};
use leasehold_link::wire::{ErrorName, LINK_ERROR};
use reqwest::{Client, StatusCode, Url};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

/// How long a poll waits at the engine: shorter than what stands in between usually lets a connection idle.
const WAIT: Duration = Duration::from_secs(20);
/// How long the engine may take beyond that.
const PATIENCE: Duration = Duration::from_secs(10);
/// The wait before the first new try; each further one is twice as long, up to [`BACKOFF_MAX`].
const BACKOFF_MIN: Duration = Duration::from_millis(50);
const BACKOFF_MAX: Duration = Duration::from_secs(5);
/// Most bytes of an answer that are carried.
const ANSWER_MAX: usize = 3 * 1024 * 1024;

/// What is needed to dial the engine.
pub struct Outbound {
    pub engine: Url,
    pub token: String,
    /// This sidecar's own routes.
    pub router: Router,
    pub stop: CancellationToken,
}

/// One request of the engine.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    n: u64,
    method: String,
    path: String,
    #[serde(default)]
    headers: Map<String, Value>,
    #[serde(default)]
    body: Value,
    #[serde(default)]
    held_ms: u64,
}

#[derive(Deserialize)]
struct Polled {
    session: String,
    requests: Vec<Asked>,
}

/// Why a session ended.
#[derive(Debug, thiserror::Error)]
enum Ended {
    #[error("the engine is not reached: {0}")]
    Unreached(#[from] reqwest::Error),
    #[error("the engine answered {0}")]
    Refused(StatusCode),
}

impl Ended {
    /// Whether the same may be asked again in the same session: it did not arrive, or something in between, or an engine that is
    /// starting, does not take it now.
    fn passes(&self) -> bool {
        match self {
            Self::Unreached(fault) => !fault.is_decode(),
            Self::Refused(status) => status.is_server_error() || *status == StatusCode::TOO_MANY_REQUESTS,
        }
    }
}

impl Outbound {
    /// Dials until told to stop.
    pub async fn dial_for_ever(self) {
        let this = Arc::new(self);
        let client = Client::builder().connect_timeout(PATIENCE).timeout(WAIT + PATIENCE).build();
        let client = match client {
            Ok(client) => client,
            Err(fault) => return tracing::error!(%fault, "the engine cannot be dialled"),
        };
        let mut backoff = BACKOFF_MIN;
        while !this.stop.is_cancelled() {
            let begun = Instant::now();
            let ended = tokio::select! {
                () = this.stop.cancelled() => return,
                ended = this.serve(&client) => ended,
            };
            tracing::warn!(engine = %this.engine, reason = %ended, "the way to the engine ended; dialling again");
            if begun.elapsed() > BACKOFF_MAX {
                backoff = BACKOFF_MIN;
            }
            tokio::select! { () = this.stop.cancelled() => return, () = tokio::time::sleep(backoff) => () }
            backoff = (backoff * 2).min(BACKOFF_MAX);
        }
    }

    /// One session, to its end. What is under way then is left: the engine holds it for unknown.
    async fn serve(self: &Arc<Self>, client: &Client) -> Ended {
        let tasks = TaskTracker::new();
        let begun: Result<Polled, Ended> = self.post(client, "poll", &json!({})).await;
        let session: Arc<str> = match begun {
            Ok(begun) => begun.session.into(),
            Err(ended) => return ended,
        };
        tracing::info!(engine = %self.engine, "the engine is dialled");
        let lost = CancellationToken::new();
        let (mut taken, mut backoff) = (0, BACKOFF_MIN);
        loop {
            let wait_ms = u64::try_from(WAIT.as_millis()).unwrap_or(u64::MAX);
            let poll = json!({"session": &*session, "after": taken, "waitMs": wait_ms});
            let polled = tokio::select! {
                () = lost.cancelled() => return Ended::Refused(StatusCode::GONE),
                polled = self.post::<Polled>(client, "poll", &poll) => polled,
            };
            let requests = match polled {
                Ok(polled) => {
                    backoff = BACKOFF_MIN;
                    polled.requests
                }
                // The session outlives a poll that is lost: the same is asked again.
                Err(lost) if lost.passes() => {
                    tracing::debug!(%lost, "a poll was lost");
                    tokio::time::sleep(backoff).await;
                    backoff = (backoff * 2).min(BACKOFF_MAX);
                    continue;
                }
                Err(ended) => return ended,
            };
            for asked in requests {
                if asked.n > taken {
                    taken = asked.n;
                    let (this, client, session, lost) = (Arc::clone(self), client.clone(), Arc::clone(&session), lost.clone());
                    tasks.spawn(async move { this.obey(&client, &session, asked, &lost).await });
                }
            }
        }
    }

    /// Does one request, and tells its answer until that has arrived or the session is over.
    async fn obey(&self, client: &Client, session: &str, asked: Asked, lost: &CancellationToken) {
        let n = asked.n;
        let (status, body) = self.execute(asked).await;
        let told = json!({"session": session, "answers": [{"n": n, "status": status, "body": body}]});
        let mut backoff = BACKOFF_MIN;
        loop {
            match self.post::<Map<String, Value>>(client, "answer", &told).await {
                Ok(_) => return,
                Err(Ended::Refused(status)) if !Ended::Refused(status).passes() => {
                    tracing::warn!(%status, "an answer was not taken by the engine");
                    if status == StatusCode::GONE {
                        lost.cancel();
                    }
                    return;
                }
                Err(fault) => tracing::debug!(%fault, "an answer did not arrive; telling it again"),
            }
            tokio::select! {
                () = lost.cancelled() => return,
                () = self.stop.cancelled() => return,
                () = tokio::time::sleep(backoff) => (),
            }
            backoff = (backoff * 2).min(BACKOFF_MAX);
        }
    }

    /// The answer of this sidecar's own route.
    async fn execute(&self, asked: Asked) -> (u16, Value) {
        if asked.path.starts_with("/feed/stream") {
            return refusal(404, ErrorName::NoSuchRoute, "an endless stream is not carried; read /feed");
        }
        let request = match self.request(asked) {
            Ok(request) => request,
            Err(fault) => return refusal(400, ErrorName::BadField, &format!("this is no request: {fault}")),
        };
        let Ok(response) = self.router.clone().oneshot(request).await;
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), ANSWER_MAX).await.ok();
        match body.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
            Some(body) => (status, body),
            None => refusal(504, ErrorName::NoAnswer, "the answer could not be carried: whether it applied is unknown"),
        }
    }

    fn request(&self, asked: Asked) -> Result<Request<Body>, axum::http::Error> {
        let held = Held(Duration::from_millis(asked.held_ms));
        let request = Request::builder().method(asked.method.as_str()).uri(asked.path).extension(held);
        let mut request = request.header(CONTENT_TYPE, "application/json");
        for (name, value) in &asked.headers {
            let name = HeaderName::try_from(name.as_str())?;
            if name != AUTHORIZATION {
                request = request.header(name, HeaderValue::try_from(value.as_str().unwrap_or_default())?);
            }
        }
        let body = if asked.body.is_null() { Body::empty() } else { Body::from(asked.body.to_string()) };
        request.header(AUTHORIZATION, format!("Bearer {}", self.token)).body(body)
    }

    async fn post<T: DeserializeOwned>(&self, client: &Client, what: &str, body: &Value) -> Result<T, Ended> {
        let url = format!("{}/api/v1/link/{what}", self.engine.as_str().trim_end_matches('/'));
        let response = client.post(url).bearer_auth(&self.token).json(body).send().await?;
        if response.status() != StatusCode::OK {
            return Err(Ended::Refused(response.status()));
        }
        Ok(response.json().await?)
    }
}

fn refusal(status: u16, error: ErrorName, reason: &str) -> (u16, Value) {
    (status, json!({"kind": LINK_ERROR, "error": error.as_str(), "reason": reason}))
}
