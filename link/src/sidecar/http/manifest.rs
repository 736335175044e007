//! `GET /manifest`: what the game on the line offers, as it came.

use crate::sidecar::scopes::Found;
use axum::Json;
use leasehold_link::wire::ManifestTold;

/// Answers 200 whether or not a game is on the line, and whether or not it sent one.
pub async fn manifest(found: Found) -> Json<ManifestTold> {
    Json(match found.line.and_then(|line| line.health().game) {
        None => ManifestTold { boot_id: None, digest: None, manifest: None },
        Some(game) => ManifestTold {
            boot_id: Some(game.hello.boot_id.clone()),
            digest: game.manifest_digest,
            manifest: game.hello.manifest.clone(),
        },
    })
}
