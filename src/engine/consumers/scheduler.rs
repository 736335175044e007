//! `scheduler`: makes the occurrences of a definition when a version is published or verified or a person changes one of
//! them, and takes them back when it is archived. Works all of them out again when the zone data have changed. What lies beyond the horizon is staged for the day on which it comes into it.

use std::sync::Arc;

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::{Definition, DefinitionEvent};
use leasehold_aggregates::deployment::{Deployment, DeploymentEvent};
use leasehold_aggregates::event::{DecodeFault, known};

use super::Consumer;
use crate::engine::definitions::Deed;
use crate::engine::materialise::Occasion;
use crate::engine::{Engine, Fault};
use crate::log::Recorded;

/// Events of a definition after which its calendar may be another.
const LOOKED_AT: [&str; 6] = [
    "definition_published",
    "definition_verified",
    "definition_archived",
    "occurrence_skipped",
    "occurrence_moved",
    "occurrence_restored",
];

pub struct Scheduler;

impl Scheduler {
    /// What the commands are named by that follow from the event at this position.
    pub(in crate::engine) fn cause(position: u64) -> String {
        format!("{} {position}", Self::NAME)
    }
}

impl Consumer for Scheduler {
    const NAME: &'static str = "scheduler";

    fn known(kind: &str, event_type: &str, version: &str) -> Result<(), DecodeFault> {
        match kind {
            Definition::TYPE => known::<DefinitionEvent>(event_type, version).map(drop),
            Deployment::TYPE => known::<DeploymentEvent>(event_type, version).map(drop),
            _ => Ok(()),
        }
    }

    async fn handle(&self, engine: &Engine, event: &Arc<Recorded>) -> Result<(), Fault> {
        let cause = Self::cause(event.position);
        match (event.stream.aggregate_type.as_str(), event.event_type.as_str()) {
            (Definition::TYPE, kind) if LOOKED_AT.contains(&kind) => {
                let since = Some(Deed::of(event).at);
                engine.materialise(&event.stream.aggregate_id, Occasion { cause: &cause, since }).await
            }
            (Deployment::TYPE, "zone_data_changed") => engine.look_at_all_that_are_ahead(&cause).await,
            _ => Ok(()),
        }
    }
}
