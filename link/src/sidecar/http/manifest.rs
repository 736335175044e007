//! `GET /manifest`: what the game on the line offers, as it came.

use crate::sidecar::exchange::Exchange;
use axum::{Json, extract::State};
use leasehold_link::wire::ManifestTold;
use std::sync::Arc;

/// Answers 200 whether or not a game is on the line, and whether or not it sent one.
pub async fn manifest(State(exchange): State<Arc<Exchange>>) -> Json<ManifestTold> {
    Json(match exchange.health().game {
        None => ManifestTold { boot_id: None, digest: None, manifest: None },
        Some(game) => ManifestTold {
            boot_id: Some(game.hello.boot_id.clone()),
            digest: game.manifest_digest,
            manifest: game.hello.manifest.clone(),
        },
    })
}
