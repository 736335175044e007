//! Histories to project: runs, their ledger and definitions, made by the aggregates' own decisions from a seed.

#![allow(dead_code, unused_imports, reason = "each test binary uses the part that it needs")]

mod definitions;
mod plans;
mod world;

pub use definitions::{content, published};
pub use plans::{at, borrowing, facts, lendable, making, phase, scheduled, step};
pub use world::World;

use std::collections::BTreeMap;

use leasehold_aggregates::event::StoredEvent;
use leasehold_projections::SeenEvent;
use serde::Serialize;
use serde_json::Value;

/// An event that has happened and lies nowhere yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    pub aggregate_type: &'static str,
    pub aggregate_id: String,
    pub event_type: String,
    pub event_version: String,
    pub payload: Value,
}

impl Fact {
    pub fn of<E: StoredEvent + Serialize>(aggregate_type: &'static str, aggregate_id: &str, event: &E) -> Self {
        let payload = serde_json::to_value(event).unwrap();
        let event_type = payload["type"].as_str().unwrap().to_owned();
        let version = E::TYPES.iter().find(|(name, _)| *name == event_type).unwrap().1;
        Self { aggregate_type, aggregate_id: aggregate_id.into(), event_type, event_version: version.to_string(), payload }
    }
}

/// Facts as a log would hold them: from position 1 on, each stream from sequence 1 on.
pub fn recorded(facts: &[Fact]) -> Vec<SeenEvent> {
    let mut sequences: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    let mut position = 0;
    let seen = facts.iter().map(|fact| {
        position += 1;
        let sequence = sequences.entry((fact.aggregate_type, &fact.aggregate_id)).or_default();
        *sequence += 1;
        let at = fact.payload["at"].as_str().unwrap_or("2027-01-15T08:00:00Z").to_owned();
        SeenEvent {
            position,
            recorded_at: plans::at(0),
            aggregate_type: fact.aggregate_type.into(),
            aggregate_id: fact.aggregate_id.clone(),
            sequence: *sequence,
            event_type: fact.event_type.clone(),
            event_version: fact.event_version.clone(),
            payload: fact.payload.clone(),
            metadata: BTreeMap::from([("actor".to_owned(), "runner".to_owned()), ("at".to_owned(), at)]),
        }
    });
    seen.collect()
}
