//! What the log is made of: streams, the events to be written, and the events as recorded.

use std::collections::BTreeMap;
use std::fmt;

use chrono::{DateTime, Utc};
use serde_json::Value;

/// All events of one aggregate, named by its kind and its id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId {
    pub aggregate_type: String,
    pub aggregate_id: String,
}

impl StreamId {
    pub fn new(aggregate_type: impl Into<String>, aggregate_id: impl Into<String>) -> Self {
        Self { aggregate_type: aggregate_type.into(), aggregate_id: aggregate_id.into() }
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.aggregate_type, self.aggregate_id)
    }
}

/// An event that has happened and is not recorded yet. The log does not look into the payload.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    pub event_type: String,
    pub event_version: String,
    pub payload: Value,
}

/// Events for one stream, and the sequence that the decision saw as its last.
#[derive(Debug, Clone, PartialEq)]
pub struct StreamWrite {
    pub stream: StreamId,
    /// Sequence of the stream's last event; 0 for a stream that does not exist yet. Sequences count from 1.
    pub expected: u64,
    /// Without events the write is a check of `expected` and nothing more.
    pub events: Vec<NewEvent>,
}

/// An event as the log holds it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// Place in the log, dense from 0.
    pub position: u64,
    /// The database's clock when it was stamped, whole microseconds, never before the event in front of it.
    pub recorded_at: DateTime<Utc>,
    pub stream: StreamId,
    /// Place in the stream, from 1.
    pub sequence: u64,
    pub event_type: String,
    pub event_version: String,
    pub payload: Value,
    pub metadata: BTreeMap<String, String>,
}

/// Where a stream is known to end. Numbers of different eras are not to be compared: in between, the log was not the one that
/// had been known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamEnd {
    pub era: u64,
    pub sequence: u64,
}

/// The newest event's place, hash and instant: what the next event follows, and what an anchor kept elsewhere holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    pub position: u64,
    /// 32 bytes.
    pub hash: Vec<u8>,
    pub recorded_at: DateTime<Utc>,
}
