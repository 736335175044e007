//! Fates as HTTP answers. The status comes from the one table, [`Disposition::status`].

use crate::sidecar::exchange::Fate;
use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use leasehold_link::wire::{Disposition, ErrorName, LINK_ERROR, Refusal};
use serde_json::{Map, Value};

/// The answer to a command: the game's own object as it came, or the sidecar's.
pub fn answer(fate: Fate) -> Response {
    match fate {
        Fate::Answered(reply) => json(reply.disposition(), reply.body),
        Fate::Own(disposition, refusal) => json(disposition, refusal.into_body(LINK_ERROR)),
    }
}

/// An answer of the sidecar itself.
pub fn own(disposition: Disposition, error: ErrorName, reason: &str) -> Response {
    answer(Fate::Own(disposition, Refusal::new(error, reason)))
}

/// The same with a refusal that carries more.
pub fn own_with(disposition: Disposition, refusal: Refusal) -> Response {
    answer(Fate::Own(disposition, refusal))
}

fn json(disposition: Disposition, body: Map<String, Value>) -> Response {
    let status = StatusCode::from_u16(disposition.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, Json(Value::Object(body))).into_response()
}
