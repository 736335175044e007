//! `/admin/events/runs`: what is going on and what went on.

pub mod cleanup;
pub mod control;
pub mod list;
pub mod log;
pub mod read;
pub mod replay;
pub mod results;

use axum::Json;
use serde_json::{Value, json};

use crate::engine::runs::Committed;

/// What a control answers: the run as the command left it.
fn outcome(committed: &Committed) -> Json<Value> {
    let run = &committed.run;
    Json(json!({
        "id": committed.run_id,
        "status": run.status,
        "health": run.health,
        "cleanupStatus": run.cleanup,
        "position": committed.position,
    }))
}
