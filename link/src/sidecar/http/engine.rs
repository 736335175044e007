//! `GET /engine`: from which place of which log commands have come; `PUT /engine`: where history goes on.

use super::answer::own;
use crate::sidecar::{
    scopes::{Found, Scopes},
    seen::SeenFile,
};
use axum::{
    Json,
    body::Bytes,
    extract::{State, rejection::BytesRejection},
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use leasehold_link::wire::{
    Disposition, ErrorName, Mark, Seen,
    mark::{HASH_HEADER, LOG_HEADER, POSITION_HEADER},
};
use std::sync::Arc;

/// The highest mark of each log, the log served last in front.
pub async fn tell(State(seen): State<Arc<SeenFile>>, found: Found) -> Json<Seen> {
    Json(seen.seen(found.scope.as_deref()))
}

/// Takes the posted mark for the newest of its log, also where it is lower than what was seen before.
pub async fn follow(
    State(seen): State<Arc<SeenFile>>,
    State(scopes): State<Arc<Scopes>>,
    found: Found,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let read = body.map_err(|fault| fault.to_string());
    let mark = match read.and_then(|body| serde_json::from_slice::<Mark>(&body).map_err(|fault| fault.to_string())) {
        Ok(mark) => mark,
        Err(fault) => return own(Disposition::BadJson, ErrorName::BadJson, &format!("the body must be one mark: {fault}")),
    };
    if let Some(fault) = mark.fault() {
        return own(Disposition::BadJson, ErrorName::BadField, &fault);
    }
    if let Some(Err(fault)) = found.scope.as_deref().map(|scope| scopes.line(scope)) {
        return own(Disposition::BadJson, ErrorName::BadField, &fault);
    }
    match seen.serve(found.scope.as_deref(), mark).await {
        Ok(seen) => Json(seen).into_response(),
        Err(failure) => own(Disposition::NotSent, ErrorName::NotSent, &failure.to_string()),
    }
}

/// The mark in the headers of a command; none where the sender names none. An error, naming the header, where it is none.
pub fn mark_of(headers: &HeaderMap) -> Result<Option<Mark>, String> {
    let text = |name: &str| {
        let value = headers.get(name).map(|value| value.to_str().map_err(|_| format!("the header {name} is no text")));
        value.transpose()
    };
    let (log, position, hash) = (text(LOG_HEADER)?, text(POSITION_HEADER)?, text(HASH_HEADER)?);
    let (log, position, hash) = match (log, position, hash) {
        (None, None, None) => return Ok(None),
        (Some(log), Some(position), Some(hash)) => (log.to_owned(), position, hash.to_owned()),
        _ => return Err(format!("the headers {LOG_HEADER}, {POSITION_HEADER} and {HASH_HEADER} come together or not at all")),
    };
    let whole = || format!("the header {POSITION_HEADER} must be a whole number from 0");
    let position = position.parse().map_err(|_| whole())?;
    let mark = Mark { log, position, hash };
    match mark.fault() {
        Some(fault) => Err(format!("the headers of the log name none: {fault}")),
        None => Ok(Some(mark)),
    }
}
