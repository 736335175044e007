//! `GET /feed?after=&limit=&waitMs=`: what the game has reported behind a number, in order.

use super::answer::own;
use crate::sidecar::{feed::FeedStore, scopes::Found};
use axum::{
    Json,
    extract::{Query, State, rejection::QueryRejection},
    response::{IntoResponse, Response},
};
use leasehold_link::wire::{
    Disposition, ErrorName,
    feed::{LIMIT_MAX, WAIT_MS_MAX},
};
use serde::Deserialize;
use std::time::Duration;

/// What may be asked for; all of it may be left out.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Asked {
    #[serde(default)]
    after: u64,
    #[serde(default = "most")]
    limit: u32,
    /// How long an empty answer may wait for something to come.
    #[serde(default)]
    wait_ms: u64,
    /// Read beside this.
    #[serde(rename = "scope")]
    _scope: Option<String>,
}

const fn most() -> u32 {
    LIMIT_MAX
}

pub async fn read(State(feed): State<FeedStore>, found: Found, asked: Result<Query<Asked>, QueryRejection>) -> Response {
    let asked = match asked {
        Ok(Query(asked)) => asked,
        Err(fault) => return own(Disposition::BadJson, ErrorName::BadField, &fault.body_text()),
    };
    if asked.limit > LIMIT_MAX || asked.wait_ms > WAIT_MS_MAX {
        let reason = format!("limit must be 0 to {LIMIT_MAX}, and waitMs 0 to {WAIT_MS_MAX}");
        return own(Disposition::BadJson, ErrorName::BadField, &reason);
    }
    let scope = found.scope.unwrap_or_default();
    // Who waits in vain gets the empty answer.
    let _ = tokio::time::timeout(Duration::from_millis(asked.wait_ms), feed.grown_past(&scope, asked.after)).await;
    match feed.after(&scope, asked.after, asked.limit as usize).await {
        Ok(read) => Json(read).into_response(),
        Err(fault) => own(Disposition::NotSent, ErrorName::DiskFailed, &format!("the feed cannot be read: {fault}")),
    }
}
