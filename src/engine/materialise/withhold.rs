//! Occurrences that come to no run, put on record.

use std::ops::Range;

use chrono::{DateTime, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::{Definition, DefinitionCommand, WithheldCause};
use leasehold_aggregates::run::Run;
use leasehold_aggregates::schedule::LocalDateTime;
use leasehold_aggregates::zones::Zone;

use super::{Current, FIRST, run_of};
use crate::engine::fault::moved;
use crate::engine::runs::controls::MAIN;
use crate::engine::streams::{Loaded, load};
use crate::engine::{Act, Engine, Fault};
use crate::log::AppendError;

/// Most slots that one pass puts on record as missed: the latest of them.
const MOST_MISSED: usize = 5_000;
/// Most slots of one append.
const AT_ONCE: usize = 500;

impl Engine {
    /// Records, once for each slot and cause, that the slots are not made, and why. Not final: when the cause is gone a slot is
    /// made if it is still ahead.
    pub(super) async fn withhold(&self, current: &Current<'_>, slots: Vec<(LocalDateTime, WithheldCause)>) -> Result<(), Fault> {
        for some in slots.chunks(AT_ONCE) {
            self.withhold_some(current, some).await?;
        }
        Ok(())
    }

    async fn withhold_some(&self, current: &Current<'_>, slots: &[(LocalDateTime, WithheldCause)]) -> Result<(), Fault> {
        let told: Vec<String> = slots.iter().map(|(slot, cause)| format!("{slot} {}", <&str>::from(*cause))).collect();
        let act = Act::following("scheduler", current.now, &format!("{} withhold {}", current.cause, told.join(", ")));
        loop {
            let definition: Loaded<Definition> = load(&self.log, &current.definition.id).await?;
            let (mut state, mut events) = (definition.state.clone(), Vec::new());
            for (slot, cause) in slots {
                let withhold = DefinitionCommand::Withhold { scope: MAIN.to_owned(), slot: *slot, cause: *cause };
                for event in state.decide(withhold).unwrap_or_default() {
                    state.apply(event.clone());
                    events.push(event);
                }
            }
            if events.is_empty() {
                return Ok(());
            }
            let mut append = act.append(&self.recorded_by());
            append.writes.push(definition.write(&events)?);
            match self.log.append(append).await {
                Ok(_) | Err(AppendError::AlreadyDone(_)) => return Ok(()),
                Err(error) if moved(&error) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Nobody was there when these came into the horizon, and they are over by now: they have no run and get none.
    pub(super) async fn put_the_missed_on_record(
        &self,
        current: &Current<'_>,
        zone: &Zone,
        gone: Range<DateTime<Utc>>,
    ) -> Result<(), Fault> {
        let occurrences = current.definition.state.altered().expand(&current.content.plan.schedule, zone, gone);
        let mut missed = Vec::new();
        for occurrence in occurrences.iter().rev().take(MOST_MISSED) {
            let run: Loaded<Run> = load(&self.log, &run_of(&current.definition.id, occurrence.local, FIRST)).await?;
            if run.state.scheduled.is_none() {
                missed.push((occurrence.local, WithheldCause::Missed));
            }
            missed.extend(occurrence.merged.iter().map(|slot| (*slot, WithheldCause::Merged)));
        }
        missed.reverse();
        self.withhold(current, missed).await
    }
}
