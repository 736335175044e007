//! `scheduler`: makes the occurrences of a definition when a version is published or verified, and takes them back when
//! it is archived. What lies beyond the horizon is staged for the day on which it comes into it.

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::{Definition, DefinitionEvent};
use leasehold_aggregates::event::{DecodeFault, known};

use super::Consumer;
use crate::engine::{Engine, Fault};
use crate::log::Recorded;

pub struct Scheduler;

impl Consumer for Scheduler {
    const NAME: &'static str = "scheduler";

    fn known(kind: &str, event_type: &str, version: &str) -> Result<(), DecodeFault> {
        if kind == Definition::TYPE { known::<DefinitionEvent>(event_type, version).map(drop) } else { Ok(()) }
    }

    async fn handle(&self, engine: &Engine, event: &Recorded) -> Result<(), Fault> {
        if event.stream.aggregate_type != Definition::TYPE {
            return Ok(());
        }
        if matches!(event.event_type.as_str(), "definition_published" | "definition_verified" | "definition_archived") {
            engine.materialise(&event.stream.aggregate_id, &format!("{} {}", Self::NAME, event.position)).await?;
        }
        Ok(())
    }
}
