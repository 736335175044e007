//! The audit trail: what the world says happened. One JSON line a fact, on the disk before anybody is answered.

mod trail;

pub use trail::Audit;

use serde::Serialize;
use serde_json::{Map, Value};

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A command ran and was done. One such row for each executed key, never two.
    Applied,
    /// A repeat was answered with the original reply.
    Replayed,
    /// A definite no; nothing changed.
    Refused,
    /// A repeat came while the first was at work.
    Busy,
    /// A command that had begun was cut off: by a restart, or by a fault of its handler.
    Interrupted,
    /// A baseline was written back.
    Restored,
    /// A deadline passed.
    Expired,
    /// A baseline was not written back, because another value was found.
    Drifted,
    /// A person at the console did it.
    Staff,
}

/// One row, without its sequence and instant.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    pub key: Option<String>,
    pub run_id: Option<String>,
    pub kind: String,
    pub outcome: Outcome,
    #[serde(flatten)]
    pub detail: Map<String, Value>,
}

impl Row {
    /// A row without key, run and detail.
    pub fn new(outcome: Outcome, kind: impl Into<String>) -> Self {
        Self { key: None, run_id: None, kind: kind.into(), outcome, detail: Map::new() }
    }

    /// The same with one more field.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.detail.insert(field.to_owned(), value.into());
        self
    }
}

#[cfg(test)]
mod tests;
