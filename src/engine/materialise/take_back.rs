//! What is on the calendar and not yielded any more.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use leasehold_aggregates::definition::{Definition, DefinitionState};
use leasehold_aggregates::run::{Run, RunStatus, Scheduled, WithdrawnCause};
use leasehold_aggregates::schedule::{Alteration, LocalDateTime};

use super::Current;
use crate::engine::streams::{Loaded, load};
use crate::engine::{Act, Engine, Fault};

impl Engine {
    /// Takes back every run that has not begun and whose slot the definition does not have, for `why`, or has skipped.
    pub(super) async fn take_back(
        &self,
        definition: &Loaded<Definition>,
        why: WithdrawnCause,
        now: DateTime<Utc>,
        cause: &str,
    ) -> Result<(), Fault> {
        for run in self.waiting_runs(&definition.id).await? {
            let Some(scheduled) = &run.state.scheduled else { continue };
            let Some(why) = gone(&definition.state, scheduled, why).filter(|_| !is_over(scheduled, now)) else { continue };
            let act = Act::following("scheduler", now, &format!("{cause} withdraw {}", run.id));
            match self.withdraw_run(&act, &run.id, why).await {
                Err(Fault::Refused(_)) | Ok(_) => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(())
    }

    /// Takes back the run of a slot that falls on the instant of an earlier one by now.
    pub(super) async fn withdraw_merged(&self, current: &Current<'_>, slot: LocalDateTime) -> Result<(), Fault> {
        let run_id = self.newest_of(&current.definition.id, slot).await?.run.id;
        let act = Act::following("scheduler", current.now, &format!("{} withdraw {run_id}", current.cause));
        match self.withdraw_run(&act, &run_id, WithdrawnCause::Rescheduled).await {
            Err(Fault::Refused(_)) | Ok(_) => Ok(()),
            Err(fault) => Err(fault),
        }
    }

    /// The runs of a definition that are on the calendar and have not begun, in the order in which their grace ends.
    pub(crate) async fn waiting_runs(&self, definition_id: &str) -> Result<Vec<Loaded<Run>>, Fault> {
        let (mut seen, mut waiting) = (BTreeSet::new(), Vec::new());
        for item in self.log.graces_of(definition_id).await? {
            if seen.insert(item.stream.aggregate_id.clone()) {
                let run: Loaded<Run> = load(&self.log, &item.stream.aggregate_id).await?;
                waiting.extend(Some(run).filter(|run| run.state.status == RunStatus::Scheduled && run.state.scheduled.is_some()));
            }
        }
        Ok(waiting)
    }
}

/// Why the run is to go, if it is.
fn gone(definition: &Definition, scheduled: &Scheduled, why: WithdrawnCause) -> Option<WithdrawnCause> {
    let slot: LocalDateTime = scheduled.slot.as_ref()?.parse().ok()?;
    let ready = definition.state() == DefinitionState::Ready;
    let yields = ready && definition.current().is_some_and(|(_, content)| content.plan.schedule.yields(slot));
    match definition.altered().of(slot) {
        _ if !yields => Some(why),
        Some(Alteration::Skipped) => Some(WithdrawnCause::Skipped),
        _ => None,
    }
}

/// Where its grace has ended the run is missed, only nobody was there to say so.
fn is_over(scheduled: &Scheduled, now: DateTime<Utc>) -> bool {
    let grace = TimeDelta::seconds(i64::try_from(scheduled.grace_seconds).unwrap_or(i64::MAX / 1_000));
    scheduled.scheduled_for + grace < now
}
