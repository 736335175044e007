//! An event as a projection sees it.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use leasehold_aggregates::event::{DecodeFault, StoredEvent, decode};
use serde_json::Value;

/// One recorded event, with its place in the log and in its stream.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenEvent {
    /// Place in the log, dense from 0.
    pub position: u64,
    /// The database's clock when it was recorded: evidence. What it is about is [`SeenEvent::at`].
    pub recorded_at: DateTime<Utc>,
    pub aggregate_type: String,
    pub aggregate_id: String,
    /// Place in the stream, from 1.
    pub sequence: u64,
    pub event_type: String,
    pub event_version: String,
    pub payload: Value,
    /// A flat map: who, when, because of what.
    pub metadata: BTreeMap<String, String>,
}

impl SeenEvent {
    /// The typed event. An unknown type, a newer version and an unknown field are faults, never skipped.
    pub fn decode<E: StoredEvent>(&self) -> Result<E, DecodeFault> {
        decode(&self.event_type, &self.event_version, self.payload.clone())
    }

    /// The command's instant by the engine's clock; where a writer told none, the instant of recording.
    pub fn at(&self) -> DateTime<Utc> {
        let told = self.metadata.get("at").and_then(|at| DateTime::parse_from_rfc3339(at).ok());
        told.map_or(self.recorded_at, |at| at.with_timezone(&Utc))
    }

    /// Who did it: an account's id, `runner`, `module:ID` and the like; `unknown` where a writer told nobody.
    pub fn actor(&self) -> &str {
        self.metadata.get("actor").map_or("unknown", String::as_str)
    }
}
