//! Crash points of the engine: the log's, under the name by which the engine knows them; and those around each append of a run.

pub use crate::log::crash::point;

use cqrs_es::DomainEvent as _;
use leasehold_aggregates::run::RunEvent;

/// Where an append of these events is about to be made (`before`), or has been (`after`): a point for each of their types,
/// such as `append.before.step_done`.
pub fn around(moment: &str, events: &[RunEvent]) {
    if cfg!(debug_assertions) {
        for event in events {
            point(&format!("append.{moment}.{}", event.event_type()));
        }
    }
}
