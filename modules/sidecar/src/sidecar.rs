//! One scope's sidecar, over HTTP.

mod seen;

use leasehold_link::wire::mark::{HASH_HEADER, LOG_HEADER, POSITION_HEADER};
use std::time::Duration;

use leasehold_link::wire::feed::Feed;
use leasehold_link::wire::{Catalogue, Kind, LeaseRow, ListLeases, ManifestTold, Method, PROTOCOL, Reply};
use leasehold_module::{Failure, Link, Mark, Reach, traceparent};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Patience;
use crate::verdict::{Exchange, judge, nonsense};

/// Most bytes of an answer that are read; a sidecar's answers are one line of the wire, or a feed's 512 KiB of frames.
const LONGEST_ANSWER: usize = 1024 * 1024;

/// A way to one game.
pub struct Sidecar {
    scope: String,
    base: String,
    token: String,
    http: Client,
    patience: Patience,
}

/// What `GET /health` tells: the sidecar's protocol, and the game on the line, if there is one.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Health {
    protocol: u32,
    connected: bool,
    key_memory_sec: Option<u64>,
    #[serde(default)]
    boot_id: Option<String>,
    /// The protocol of a game that was turned away, where there is one.
    #[serde(default)]
    refused_protocol: Option<u64>,
}

impl Sidecar {
    pub(crate) fn new(link: &Link, http: Client, patience: Patience) -> Self {
        let scope = link.scope.clone();
        Self { scope, base: link.url.trim_end_matches('/').to_owned(), token: link.token.clone(), http, patience }
    }

    /// Milliseconds for which an undo is good: as long as its answer is waited for.
    pub fn patience_ms(&self) -> u64 {
        self.patience.reply_timeout_ms
    }

    /// Sends one command, with the place in the log that it comes from, and judges its answer.
    pub async fn command<B: Serialize>(&self, kind: Kind, body: &B, mark: Option<&Mark>) -> Result<Reply, Failure> {
        let body = serde_json::to_value(body).map_err(|error| Failure::refused("wrong_params", error.to_string()))?;
        let path = kind.path_of(body.get("runId").and_then(Value::as_str).unwrap_or_default());
        let request = match kind.route().0 {
            Method::Get => self.http.get(format!("{}{path}", self.base)).query(&body),
            Method::Post => self.http.post(format!("{}{path}", self.base)).json(&body),
        };
        judge(kind, self.exchange(marked(request, mark)).await)
    }

    /// The row of one value that may be borrowed, as the game has it now.
    pub async fn lease_row(&self, key: &str) -> Result<LeaseRow, Failure> {
        let reply = self.command(Kind::LeaseList, &ListLeases { key: Some(key.to_owned()) }, None).await?;
        let catalogue: Catalogue =
            reply.fields().map_err(|error| nonsense(Kind::LeaseList, &format!("a catalogue that is none: {error}")))?;
        let row = catalogue.leases.into_iter().find(|row| row.key == key);
        row.ok_or_else(|| Failure::refused("unknown_lease", format!("the game does not offer {key} to be borrowed")))
    }

    /// How many seconds the game on the line remembers a key.
    pub async fn connected(&self) -> Result<u64, Failure> {
        match self.reach().await {
            Reach::Connected { key_memory_seconds, .. } => key_memory_seconds
                .ok_or_else(|| Failure::not_now("nonsense", "the sidecar does not say how long its game remembers keys")),
            Reach::NoGame(failure) | Reach::Unreachable(failure) => Err(failure),
        }
    }

    /// Whether a game of this protocol is on the line.
    pub async fn reach(&self) -> Reach {
        let health = match self.health().await {
            Ok(health) => health,
            Err(failure) => return Reach::Unreachable(failure),
        };
        match (health.key_memory_sec, health.refused_protocol) {
            (Some(seconds), _) if health.connected => {
                Reach::Connected { key_memory_seconds: Some(seconds), boot_id: health.boot_id }
            }
            (_, Some(other)) => {
                let reason = format!("the game speaks protocol {other}, this engine {PROTOCOL}");
                Reach::NoGame(Failure::refused("protocol_mismatch", reason))
            }
            _ => Reach::NoGame(Failure::not_now("not_sent", "no game is connected to the sidecar")),
        }
    }

    /// What the game has reported behind that number, `limit` at most; an empty answer may wait that long.
    pub async fn feed(&self, after: u64, limit: u32, wait: Duration) -> Result<Feed, Failure> {
        let path = format!("{}/feed?after={after}&limit={limit}&waitMs={}", self.base, wait.as_millis());
        let (status, body) = match self.exchange(self.http.get(path)).await {
            Exchange::NotSent(why) | Exchange::Lost(why) => {
                return Err(Failure::not_now("not_sent", format!("the sidecar does not answer: {why}")));
            }
            Exchange::Answered { status, body } => (status, body),
        };
        let feed = serde_json::from_slice::<Feed>(&body).ok().filter(|_| status == StatusCode::OK.as_u16());
        feed.ok_or_else(|| Failure::not_now("nonsense", format!("the sidecar's feed cannot be read (status {status})")))
    }

    /// What the game on the line offers; nothing where there is no game, or it sends no manifest.
    pub async fn manifest(&self) -> Result<ManifestTold, Failure> {
        let (status, body) = match self.exchange(self.http.get(format!("{}/manifest", self.base))).await {
            Exchange::NotSent(why) | Exchange::Lost(why) => {
                return Err(Failure::not_now("not_sent", format!("the sidecar does not answer: {why}")));
            }
            Exchange::Answered { status, body } => (status, body),
        };
        let told = serde_json::from_slice::<ManifestTold>(&body).ok().filter(|_| status == StatusCode::OK.as_u16());
        let told = told.ok_or_else(|| {
            Failure::not_now("nonsense", format!("what the game offers cannot be read at the sidecar (status {status})"))
        })?;
        if told.boot_id.is_none() {
            return Err(Failure::not_now("not_sent", "no game is connected to the sidecar"));
        }
        Ok(told)
    }

    async fn health(&self) -> Result<Health, Failure> {
        let (status, body) = match self.exchange(self.http.get(format!("{}/health", self.base))).await {
            Exchange::NotSent(why) | Exchange::Lost(why) => {
                return Err(Failure::not_now("not_sent", format!("the sidecar does not answer: {why}")));
            }
            Exchange::Answered { status, body } => (status, body),
        };
        if status == StatusCode::UNAUTHORIZED.as_u16() {
            return Err(Failure::refused("unauthorized", "the sidecar does not accept this engine's token"));
        }
        let health = serde_json::from_slice::<Health>(&body).ok().filter(|_| status == StatusCode::OK.as_u16());
        let Some(health) = health else {
            let reason = format!("what answers at the sidecar's address is no sidecar (status {status})");
            return Err(Failure::not_now("nonsense", reason));
        };
        if health.protocol != PROTOCOL {
            let reason = format!("the sidecar speaks protocol {}, this engine {PROTOCOL}", health.protocol);
            return Err(Failure::refused("protocol_mismatch", reason));
        }
        Ok(health)
    }

    async fn exchange(&self, request: RequestBuilder) -> Exchange {
        let request = match traceparent() {
            Some(parent) => request.header("traceparent", &*parent),
            None => request,
        };
        let request = request.query(&[("scope", &self.scope)]);
        match request.bearer_auth(&self.token).timeout(self.patience.reply_timeout()).send().await {
            Ok(response) => read_whole(response).await,
            Err(error) if error.is_builder() || error.is_connect() => Exchange::NotSent(spell(&error)),
            Err(error) => Exchange::Lost(spell(&error)),
        }
    }
}

fn marked(request: RequestBuilder, mark: Option<&Mark>) -> RequestBuilder {
    let Some(mark) = mark else { return request };
    request.header(LOG_HEADER, &mark.log).header(POSITION_HEADER, mark.position).header(HASH_HEADER, &mark.hash)
}

async fn read_whole(mut response: Response) -> Exchange {
    let status = response.status().as_u16();
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(None) => return Exchange::Answered { status, body },
            Ok(Some(chunk)) if body.len() + chunk.len() <= LONGEST_ANSWER => body.extend_from_slice(&chunk),
            Ok(Some(_)) => return Exchange::Lost(format!("the answer is longer than {LONGEST_ANSWER} bytes")),
            Err(error) => return Exchange::Lost(spell(&error)),
        }
    }
}

/// The error with its causes, without the address that it may carry.
fn spell(error: &reqwest::Error) -> String {
    let mut words = if error.is_timeout() { "time ran out".to_owned() } else { "the connection failed".to_owned() };
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        words.push_str(": ");
        words.push_str(&inner.to_string());
        cause = inner.source();
    }
    words
}
