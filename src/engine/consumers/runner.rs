//! `runner`: wakes the runs that wait for a slot when it is released, the one that has waited longest first.

use super::Consumer;
use crate::engine::runs::SLOT_RELEASED;
use crate::engine::{Engine, Fault};
use crate::log::Recorded;

pub struct Runner;

impl Consumer for Runner {
    const NAME: &'static str = "runner";

    async fn handle(&self, engine: &Engine, event: &Recorded) -> Result<(), Fault> {
        if event.stream.aggregate_type != "slot" || event.event_type != SLOT_RELEASED {
            return Ok(());
        }
        let mut waiting = engine.log.listeners(SLOT_RELEASED, Some(&event.stream.aggregate_id)).await?;
        waiting.sort_by_key(|listener| listener.filter["due"].as_str().map(str::to_owned));
        for listener in waiting {
            let run_id = &listener.stream.aggregate_id;
            engine.wake(run_id, &format!("{} {} {run_id}", Self::NAME, event.position)).await?;
        }
        Ok(())
    }
}
