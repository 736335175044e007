//! What is said of requests under a key.

use axum::http::StatusCode;
use leasehold_aggregates::body::Fault as BodyFault;

use super::Problem;
use crate::log::Appended;

/// The header, as it is written.
pub const HEADER: &str = "Idempotency-Key";

impl Problem {
    /// No key at all.
    pub fn bad_key(detail: &str) -> Self {
        let code = "bad_idempotency_key";
        let mut problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, format!("{HEADER} {detail}"));
        problem.0.errors = vec![BodyFault::new(HEADER, code, format!("{HEADER} {detail}"))];
        problem
    }

    /// Another request has the key; this one was not looked at.
    pub fn key_reused() -> Self {
        let code = "idempotency_key_reused";
        let detail = "this key came with another request before, and nothing was done: take a new key for a new request";
        let mut problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail);
        problem.0.errors = vec![BodyFault::new(HEADER, code, detail)];
        problem
    }

    /// The same request is being carried out.
    pub fn in_flight() -> Self {
        let detail = "this very request is being carried out: ask again for its answer";
        Self::new(StatusCode::CONFLICT, "in_flight", detail).come_back()
    }

    /// The request was carried out, and its answer is lost and cannot be told anew.
    pub fn done_before(done: Appended) -> Self {
        let detail = format!(
            "this request was carried out before, at positions {} to {} of the log, and its answer was lost: look at what it \
             has changed",
            done.first, done.last
        );
        Self::new(StatusCode::CONFLICT, "done_before", detail).with("position", done.last)
    }
}
