//! `GET /health`: is a game on the line, which, and since when; `GET /scopes`: the same of every game.

use crate::sidecar::{
    exchange::{Exchange, Health, OnLine},
    feed::FeedStore,
    scopes::{Found, Scopes},
};
use axum::{Json, extract::State};
use leasehold_link::wire::PROTOCOL;
use serde_json::{Value, json};
use std::sync::Arc;

/// Answers 200 whether or not a game is connected; `connected` tells.
pub async fn health(State(feed): State<FeedStore>, found: Found) -> Json<Value> {
    let mut health = found.line.map_or(Health { game: None, refused_protocol: None }, |line| line.health());
    health.refused_protocol = health.refused_protocol.or(found.refused_protocol);
    Json(told(found.scope.as_deref(), health, &feed))
}

/// Every scope that was ever heard of, in the order of names.
pub async fn scopes(State(feed): State<FeedStore>, State(scopes): State<Arc<Scopes>>) -> Json<Value> {
    let told = |(scope, line): (String, Arc<Exchange>)| told(Some(&scope), line.health(), &feed);
    let scopes: Vec<Value> = scopes.all().into_iter().map(told).collect();
    Json(json!({"protocol": PROTOCOL, "scopes": scopes}))
}

fn told(scope: Option<&str>, health: Health, feed: &FeedStore) -> Value {
    let kept = feed.extent(scope.unwrap_or_default());
    let Health { game, refused_protocol } = health;
    let mut body = json!({"protocol": PROTOCOL, "connected": game.is_some(), "bootId": null, "keyMemorySec": null,
        "keyCap": null, "game": null, "scope": scope, "since": null, "manifestDigest": null,
        "refusedProtocol": refused_protocol,
        "feed": {"id": feed.id(), "oldest": kept.oldest, "newest": kept.newest, "fault": feed.fault()}});
    if let Some(OnLine { hello, manifest_digest, since_ms }) = game {
        body["bootId"] = hello.boot_id.as_str().into();
        body["keyMemorySec"] = hello.key_memory_sec.into();
        body["keyCap"] = hello.key_cap.into();
        body["game"] = hello.game.as_str().into();
        body["since"] = since_ms.into();
        body["manifestDigest"] = manifest_digest.into();
    }
    body
}
