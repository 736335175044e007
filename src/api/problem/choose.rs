//! From refusals and faults to problems: status, code and sentence.

use std::any::Any;
use std::error::Error;

use axum::http::StatusCode;
use axum::http::header::ETAG;
use axum::response::{IntoResponse, Response};
use leasehold_aggregates::body::{BadJson, Fault as BodyFault, Rejected};
use leasehold_aggregates::decide::{Refusal, RefusalKind};
use leasehold_aggregates::reservation::ReservationRefusal;
use leasehold_aggregates::run::RunRefusal;
use leasehold_aggregates::series::SeriesRefusal;
use leasehold_projections::ReadFault;
use serde_json::json;

use super::Problem;
use crate::api::etag;
use crate::engine::Fault;
use crate::engine::definitions::DraftRefusal;
use crate::engine::fault::told;
use crate::engine::occurrences::OccurrenceRefusal;
use crate::engine::projector::NotReached;
use crate::engine::rewind::{Rewound, WHAT_NOW};
use crate::engine::runs::controls::StartRefusal;
use crate::engine::streams::StreamFault;
use crate::log::{AppendError, LogError};

const BUSY: (&str, &str) = ("busy", "the log is busy and nothing was written: try again");
const BUILDING: &str = "projection_building";
const NO_DATABASE: (&str, &str) = ("database_unavailable", "the database does not answer as it should");

impl From<Rejected> for Problem {
    fn from(rejected: Rejected) -> Self {
        let mut problem = of_refusal(&rejected);
        problem.0.errors = match rejected {
            Rejected::Invalid(faults) | Rejected::Forbidden(faults) => faults,
        };
        problem
    }
}

impl From<BadJson> for Problem {
    fn from(bad: BadJson) -> Self {
        if bad.too_large {
            return Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", bad.reason);
        }
        let problem = Self::new(StatusCode::BAD_REQUEST, "bad_json", bad.to_string());
        problem.with("line", bad.line).with("column", bad.column).with("pointer", bad.pointer)
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Refused(refusal) => of_any_refusal(&*refusal),
            Fault::Invalid(faults) => Rejected::Invalid(faults).into(),
            Fault::Forbidden(faults) => Rejected::Forbidden(faults).into(),
            Fault::Busy => unavailable(BUSY),
            Fault::NotBuilt => unavailable((BUILDING, "the rows that this is told from are being built: ask again")),
            other => of_fault(&other),
        }
    }
}

impl From<ReadFault> for Problem {
    fn from(fault: ReadFault) -> Self {
        let parameter = match fault {
            ReadFault::NotBuilt => return Fault::NotBuilt.into(),
            ReadFault::Database(error) => return Fault::Database(error).into(),
            ReadFault::BadToken => "?pageToken",
            ReadFault::BadLimit(_) => "?limit",
        };
        Rejected::Invalid(vec![BodyFault::new(parameter, fault.code(), fault.to_string())]).into()
    }
}

impl Problem {
    /// The log has not come to the position that a read asked for.
    pub fn not_yet(stands: u64, asked: u64) -> Self {
        let detail = format!("the log stands at position {stands}, not at {asked} yet; ask again, or without a position");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "not_yet", detail).with("stands", stands).come_back()
    }
}

impl Problem {
    /// A fault of the engine's own.
    pub(in crate::api) fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the engine has a fault; it is in its log")
    }
}

impl From<NotReached> for Problem {
    fn from(fault: NotReached) -> Self {
        match fault {
            NotReached::Database(error) => error.into(),
            NotReached::Late { stands, .. } => {
                let problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, "not_yet", fault.to_string());
                problem.with("stands", stands).come_back()
            }
            NotReached::Building { .. } => Self::new(StatusCode::SERVICE_UNAVAILABLE, BUILDING, fault.to_string()).come_back(),
            NotReached::Stopped { .. } | NotReached::Unknown(_) => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "projection_stopped", fault.to_string())
            }
        }
    }
}

impl From<LogError> for Problem {
    fn from(error: LogError) -> Self {
        Fault::from(error).into()
    }
}

impl Problem {
    /// Refuses if something was found that makes this engine read-only: what, where, and what now.
    pub(in crate::api) fn of_rewinds(found: &[Rewound]) -> Result<(), Self> {
        if found.is_empty() {
            return Ok(());
        }
        let told: Vec<String> = found.iter().map(Rewound::to_string).collect();
        Err(read_only(&told.join("; ")).with("rewound", json!(found)))
    }
}

fn read_only(found: &str) -> Problem {
    let detail = format!("this engine is read-only: {found}. {WHAT_NOW}");
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "read_only_rewound", detail)
}

/// What a refusal adds beyond its sentence is known for some of them.
fn of_any_refusal(refusal: &dyn Refusal) -> Problem {
    let source: &(dyn Error + 'static) = refusal;
    let problem = of_refusal(refusal);
    let stale = match (source.downcast_ref(), source.downcast_ref()) {
        (Some(DraftRefusal::Stale { current }), _) | (_, Some(SeriesRefusal::Stale { current })) => Some(*current),
        _ => None,
    };
    if let Some(current) = stale {
        return problem.with("currentRevision", current).header(ETAG, etag::of(current));
    }
    match source.downcast_ref() {
        Some(StartRefusal::SlotHeld { holder, .. }) => return problem.with("holder", holder.clone()),
        Some(StartRefusal::Stopped { stop }) => return problem.with("stop", json!(stop)),
        Some(StartRefusal::Frozen { freeze, from, to }) => {
            return problem.with("freeze", json!({"id": freeze, "from": from, "to": to}));
        }
        _ => {}
    }
    match source.downcast_ref() {
        Some(RunRefusal::AdminsOnly { .. }) => return problem.with("roles", json!(["admin"])),
        Some(RunRefusal::Stopped { stop }) => return problem.with("stop", json!(stop)),
        Some(RunRefusal::NotNow { status, .. }) => return problem.with("runStatus", json!(status)),
        Some(RunRefusal::StepNotNow { is, .. }) => return problem.with("stepStatus", json!(is)),
        Some(RunRefusal::BeingDispatched { .. }) => return problem.with("stepStatus", json!("running")),
        Some(RunRefusal::StillDenied { why, .. }) => {
            let mut told = json!(why);
            told["code"] = json!(why.code());
            return problem.with("why", told);
        }
        _ => {}
    }
    if let Some(OccurrenceRefusal::HasRun { run_id, status, .. }) = source.downcast_ref() {
        return problem.with("runId", run_id.clone()).with("runStatus", json!(status));
    }
    match source.downcast_ref::<ReservationRefusal>().and_then(ReservationRefusal::holder) {
        Some(holder) => problem.with("holder", holder),
        None => problem,
    }
}

pub(super) fn of_refusal(refusal: &dyn Refusal) -> Problem {
    let mut problem = Problem::new(status_of(refusal.kind()), refusal.code(), refusal.to_string());
    if let Some(pointer) = refusal.pointer() {
        problem.0.errors = vec![BodyFault::new(pointer, refusal.code(), refusal.to_string())];
    }
    problem
}

fn status_of(kind: RefusalKind) -> StatusCode {
    match kind {
        RefusalKind::Missing => StatusCode::NOT_FOUND,
        RefusalKind::Conflict => StatusCode::CONFLICT,
        RefusalKind::Stale => StatusCode::PRECONDITION_FAILED,
        RefusalKind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        RefusalKind::Forbidden => StatusCode::FORBIDDEN,
    }
}

/// Something is wrong on this side: told in full once, here; the client is spared the causes.
fn of_fault(fault: &Fault) -> Problem {
    if let Some(position) = fault.unreadable() {
        tracing::error!(fault = told(fault), position, "a request met an event that cannot be read");
        let detail = format!("this version cannot read the event at position {position}: see what the engine tells about it");
        return unavailable(("log_unreadable", &detail)).with("position", position);
    }
    let (code, detail) = match fault {
        Fault::Append(AppendError::Malformed { .. }) => {
            return Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "cannot_be_recorded", fault.to_string());
        }
        Fault::Append(AppendError::Unknown { .. }) => {
            ("outcome_unknown", "the database was lost while it wrote: look whether it was done before you try again")
        }
        Fault::Append(AppendError::HeldBack) => return read_only("another log was found behind a link, or less of this one"),
        Fault::Append(AppendError::NotOpen) => ("log_not_open", "the log has not been opened yet"),
        Fault::Append(AppendError::Database(_))
        | Fault::Database(_)
        | Fault::Clock(_)
        | Fault::Log(LogError::Database(_))
        | Fault::Stream(StreamFault::Log(LogError::Database(_))) => NO_DATABASE,
        Fault::Log(LogError::Undecodable { .. }) | Fault::Stream(_) | Fault::UnknownItem(_) => {
            ("log_unreadable", "the log holds something that this version cannot read: see what the engine tells about it")
        }
        Fault::Append(_) => return Problem::new(StatusCode::CONFLICT, "moved_on", fault.to_string()),
        Fault::Refused(_) | Fault::Invalid(_) | Fault::Forbidden(_) | Fault::Busy | Fault::NotBuilt => BUSY,
    };
    tracing::error!(fault = told(fault), code, "a request could not be carried out");
    unavailable((code, detail))
}

fn unavailable((code, detail): (&str, &str)) -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, code, detail).come_back()
}

/// What a handler that panicked answers with.
#[expect(clippy::needless_pass_by_value, reason = "the layer that catches it hands it over")]
pub(in crate::api) fn of_panic(panic: Box<dyn Any + Send>) -> Response {
    let said = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    tracing::error!(panic = said.unwrap_or_default(), "a handler panicked");
    Problem::internal().into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_a_problem_that_tells_nothing_of_it() {
        for panic in [Box::new("a secret") as Box<dyn Any + Send>, Box::new("a secret".to_owned()), Box::new(7)] {
            let response = of_panic(panic);
            assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
            assert_eq!(response.headers()["content-type"], "application/problem+json");
            let body = axum::body::to_bytes(response.into_body(), 10_000).await.unwrap();
            let text = String::from_utf8_lossy(&body);
            assert!(text.contains("\"code\":\"internal\"") && !text.contains("secret"), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_on_this_side_is_never_the_callers_fault_nor_a_crash() {
        let lost = || sqlx::Error::PoolTimedOut;
        let undecodable = LogError::Undecodable { position: 7, why: "odd".into() };
        for (fault, code) in [
            (Fault::Busy, "busy"),
            (Fault::from(AppendError::Busy(lost().into())), "busy"),
            (Fault::Database(lost()), "database_unavailable"),
            (Fault::Log(LogError::Database(lost())), "database_unavailable"),
            (Fault::Stream(LogError::Database(lost()).into()), "database_unavailable"),
            (Fault::Append(AppendError::Unknown { command_id: uuid::Uuid::nil(), source: lost().into() }), "outcome_unknown"),
            (Fault::Append(AppendError::NotOpen), "log_not_open"),
            (Fault::Log(undecodable), "log_unreadable"),
        ] {
            let problem = Problem::from(fault);
            assert_eq!((problem.status(), problem.0.code.as_str()), (StatusCode::SERVICE_UNAVAILABLE, code));
            let response = problem.into_response();
            assert_eq!(response.headers()["retry-after"], "1", "{code}");
        }
    }
}
