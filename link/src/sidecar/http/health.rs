//! `GET /health`: is a game on the line, which, and since when.

use crate::sidecar::exchange::Exchange;
use axum::{Json, extract::State};
use leasehold_link::wire::PROTOCOL;
use serde_json::{Value, json};
use std::sync::Arc;

/// Answers 200 whether or not a game is connected; `connected` tells.
pub async fn health(State(exchange): State<Arc<Exchange>>) -> Json<Value> {
    let health = exchange.health();
    let mut body = json!({"protocol": PROTOCOL, "connected": health.game.is_some(), "bootId": null, "keyMemorySec": null,
        "keyCap": null, "game": null, "scope": null, "since": null, "manifestDigest": null,
        "refusedProtocol": health.refused_protocol});
    if let Some(game) = health.game {
        body["bootId"] = game.hello.boot_id.as_str().into();
        body["keyMemorySec"] = game.hello.key_memory_sec.into();
        body["keyCap"] = game.hello.key_cap.into();
        body["game"] = game.hello.game.as_str().into();
        body["scope"] = game.hello.scope.as_str().into();
        body["since"] = game.since_ms.into();
        body["manifestDigest"] = game.manifest_digest.into();
    }
    Json(body)
}
