//! Problem documents (RFC 9457): what every "no" and every "not now" looks like. [`choose`] is the one place that chooses
//! their status, code and sentence.

mod choose;
mod keyed;
mod place;

use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use leasehold_aggregates::body::{Fault as BodyFault, Rejected};
use serde_json::{Map, Value, json};

use crate::telling::catalogue;

pub(super) use choose::of_panic;

/// Seconds after which a client that was told to come back may.
const COME_BACK: u64 = 1;

/// A "no", or a "not now", that a client can read.
#[derive(Debug, Clone)]
pub struct Problem(Box<Parts>);

#[derive(Debug, Clone)]
struct Parts {
    status: StatusCode,
    code: String,
    detail: String,
    errors: Vec<BodyFault>,
    more: Map<String, Value>,
    headers: HeaderMap,
}

impl Problem {
    pub fn new(status: StatusCode, code: &str, detail: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            status,
            code: code.to_owned(),
            detail: detail.into(),
            errors: Vec::new(),
            more: Map::new(),
            headers: HeaderMap::new(),
        }))
    }

    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "there is nothing at this address")
    }

    pub fn method_not_allowed() -> Self {
        let detail = "this address does not take that method; the header Allow names those that it takes";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail)
    }

    pub fn forbidden(code: &str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, detail)
    }

    /// Everything that is wrong with what was sent, or nothing.
    pub fn of_faults(faults: Vec<BodyFault>) -> Result<(), Self> {
        if faults.is_empty() { Ok(()) } else { Err(Rejected::Invalid(faults).into()) }
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.more.insert(name.to_owned(), value.into());
        self
    }

    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.insert(name, value);
        self
    }

    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    fn come_back(self) -> Self {
        self.header(RETRY_AFTER, HeaderValue::from(COME_BACK))
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Parts { status, code, detail, errors, more, headers } = *self.0;
        catalogue::REFUSALS.add(&[status.as_str(), &code], 1);
        let mut document = json!({
            "type": format!("urn:leasehold:problem:{code}"),
            "title": status.canonical_reason().unwrap_or("Problem"),
            "status": status.as_u16(),
            "detail": detail,
            "code": code,
        });
        if !errors.is_empty() {
            document["errors"] = json!(errors);
        }
        for (name, value) in more {
            document[name] = value;
        }
        let kind = [(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"))];
        (status, headers, kind, document.to_string()).into_response()
    }
}
