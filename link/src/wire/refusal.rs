//! A "no" with its reason, ready to be put on the wire.

use super::ErrorName;
use serde_json::{Map, Value};

/// Why a command was not done: a name for programs, a sentence with the numbers for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}: {reason}")]
pub struct Refusal {
    pub error: ErrorName,
    pub reason: String,
    /// Further fields, such as `holder` of a lease that is taken.
    pub extra: Map<String, Value>,
}

impl Refusal {
    /// A refusal without further fields.
    pub fn new(error: ErrorName, reason: impl Into<String>) -> Self {
        Self { error, reason: reason.into(), extra: Map::new() }
    }

    /// The same with one more field.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.extra.insert(field.to_owned(), value.into());
        self
    }

    /// The object of that kind, without correlation and time.
    pub fn into_body(self, kind: &str) -> Map<String, Value> {
        let mut body = self.extra;
        body.insert("kind".to_owned(), kind.into());
        body.insert("error".to_owned(), self.error.as_str().into());
        body.insert("reason".to_owned(), self.reason.into());
        body
    }
}
