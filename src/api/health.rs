//! `/healthz`: this process answers. `/readyz`: it can work: the database answers, the log is open, guarded and no older than
//! what the links have seen, every projection serves and none has stopped, and no loop stands still. 200 or 503, with each
//! part told. A game that is not reached makes nothing unready: what is due is asked for again, and the answer says `degraded`.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{Api, Problem};
use crate::engine::projector::{ProjectorStatus, Projectors};
use crate::engine::rewind::{Rewound, WHAT_NOW};
use crate::log::{AppendOnly, GuardError, LogError};
use crate::telling::Beat;

pub async fn healthz() -> Json<Value> {
    Json(json!({"status": "ok"}))
}

pub async fn readyz(State(api): State<Api>) -> Result<(StatusCode, Json<Value>), Problem> {
    let log = &api.engine.log;
    let head = log.head().await?.map(|head| head.position);
    let (guarded, append_only) = match log.append_only().await {
        Ok(AppendOnly::ByPermission) => (true, "append-only by permission".to_owned()),
        Ok(AppendOnly::ByTriggerAlone) => (true, "append-only by trigger alone: one role owns and writes it".to_owned()),
        Err(GuardError::Read(error @ LogError::Database(_))) => return Err(error.into()),
        Err(error) => (false, error.to_string()),
    };
    let projections = api.engine.projectors().map(Projectors::statuses).unwrap_or_default();
    let stopped = projections.iter().any(|projection| projection.stopped_at.is_some() || projection.generation.is_none());
    let (stalled, rewound) = (api.engine.stalled(), api.engine.rewound());
    let ready = head.is_some() && guarded && !stopped && stalled.is_empty() && rewound.is_empty();
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let links = api.engine.links.statuses();
    let answer = json!({
        "status": if ready { "ready" } else if rewound.is_empty() { "not_ready" } else { "read_only" },
        "degraded": links.iter().any(|link| !link.connected),
        "database": "answers",
        "log": {"open": head.is_some(), "position": head, "guard": append_only},
        "stop": api.engine.stop_in_force().await.ok().flatten(),
        "rewound": rewound.iter().map(in_words).collect::<Vec<_>>(),
        "projections": projections.iter().map(|projection| lag(projection, head.unwrap_or_default())).collect::<Vec<_>>(),
        "loops": {"patienceSeconds": api.engine.patience().limit().as_secs(), "stalled": stalled.iter().map(standing).collect::<Vec<_>>()},
        "links": links,
    });
    Ok((status, Json(answer)))
}

fn standing(beat: &Beat) -> Value {
    json!({"name": beat.name, "ageSeconds": beat.age.as_secs()})
}

/// What was found behind a link, with a sentence for people.
fn in_words(rewound: &Rewound) -> Value {
    let mut told = json!(rewound);
    told["detail"] = format!("{rewound}. {WHAT_NOW}").into();
    told
}

/// How a projection stands and by how many events it is behind; that makes it late, and not the engine unready.
fn lag(projection: &ProjectorStatus, head: u64) -> Value {
    let mut told = json!(projection);
    told["behind"] = json!(head.saturating_sub(projection.position));
    told
}
