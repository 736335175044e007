//! `GET /health`: is a game on the line, which, and since when.

use crate::sidecar::exchange::Exchange;
use axum::{Json, extract::State};
use leasehold_link::wire::PROTOCOL;
use serde_json::{Value, json};
use std::sync::Arc;

/// Answers 200 whether or not a game is connected; `connected` tells.
pub async fn health(State(exchange): State<Arc<Exchange>>) -> Json<Value> {
    let health = exchange.health();
    let mut body = json!({"protocol": PROTOCOL, "connected": health.hello.is_some(), "bootId": null, "keyMemorySec": null,
        "keyCap": null, "game": null, "scope": null, "since": null, "refusedProtocol": health.refused_protocol});
    if let Some((hello, since_ms)) = health.hello {
        body["bootId"] = hello.boot_id.into();
        body["keyMemorySec"] = hello.key_memory_sec.into();
        body["keyCap"] = hello.key_cap.into();
        body["game"] = hello.game.into();
        body["scope"] = hello.scope.into();
        body["since"] = since_ms.into();
    }
    Json(body)
}
