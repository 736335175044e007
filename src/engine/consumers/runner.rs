//! `runner`: wakes the runs that wait for a slot when it is released, and when the run that released it has given back what
//! it took; the one that has waited longest first. Pauses or ends what is under way when everything is stopped.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::deployment::{Deployment, DeploymentEvent};
use leasehold_aggregates::event::{DecodeFault, known};
use leasehold_aggregates::reservation::{Slot, SlotEvent, slot_id};
use leasehold_aggregates::run::{Run, RunEvent};

use serde_json::Value;

use super::Consumer;
use crate::engine::runs::SLOT_RELEASED;
use crate::engine::stop::STOP_DECLARED;
use crate::engine::streams::{Loaded, load};
use crate::engine::{Engine, Fault};
use crate::log::Recorded;

pub struct Runner;

impl Consumer for Runner {
    const NAME: &'static str = "runner";

    fn known(kind: &str, event_type: &str, version: &str) -> Result<(), DecodeFault> {
        match kind {
            Slot::TYPE => known::<SlotEvent>(event_type, version).map(drop),
            Run::TYPE => known::<RunEvent>(event_type, version).map(drop),
            Deployment::TYPE => known::<DeploymentEvent>(event_type, version).map(drop),
            _ => Ok(()),
        }
    }

    async fn handle(&self, engine: &Engine, event: &Arc<Recorded>) -> Result<(), Fault> {
        if event.event_type == STOP_DECLARED {
            return engine.stop_runs(event).await;
        }
        let Some(slot) = freed_slot(engine, event).await? else { return Ok(()) };
        let mut waiting = engine.log.listeners(SLOT_RELEASED, Some(&slot)).await?;
        waiting.sort_by_key(|listener| due(&listener.filter));
        for listener in waiting {
            let run_id = &listener.stream.aggregate_id;
            engine.wake(run_id, &format!("{} {} {run_id}", Self::NAME, event.position)).await?;
        }
        Ok(())
    }
}

/// Since when a run waits for its slot, as an instant and not as a text: fractions of a second sort wrongly there.
fn due(filter: &Value) -> Option<DateTime<Utc>> {
    filter["due"].as_str()?.parse().ok()
}

/// The slot that this event may have freed.
async fn freed_slot(engine: &Engine, event: &Arc<Recorded>) -> Result<Option<String>, Fault> {
    let id = &event.stream.aggregate_id;
    match (event.stream.aggregate_type.as_str(), event.event_type.as_str()) {
        (Slot::TYPE, SLOT_RELEASED) => Ok(Some(id.clone())),
        (Run::TYPE, "cleanup_completed" | "cleanup_stopped") => {
            let run: Loaded<Run> = load(&engine.log, id).await?;
            let key = run.state.scheduled.and_then(|scheduled| scheduled.concurrency_key.clone());
            Ok(key.and_then(|key| slot_id(&key).ok()))
        }
        _ => Ok(None),
    }
}
