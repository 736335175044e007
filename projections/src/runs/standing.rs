//! What a run's rows are told from.

use chrono::{DateTime, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::run::{Run, RunEvent, RunStatus, wants};
use serde::{Deserialize, Serialize};

use super::{NotRun, WANTS};
use crate::fault::EventFault;
use crate::logged::Deed;
use crate::rows::Rows;

/// A run as its stream stands, with what only the passing of its events tells.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Standing {
    pub run: Run,
    /// Why it came to nothing, where it ended before it began.
    pub not_run: Option<NotRun>,
    /// How often what a calendar says of it has changed: when it is, which version it is of, whether it takes place.
    pub revision: u64,
    pub revised_at: Option<DateTime<Utc>>,
    /// Where sorted lists have it: the position from which on, its status then and the microseconds of its instant.
    pub placed: Vec<(u64, RunStatus, i64)>,
}

impl Standing {
    pub fn follow(&mut self, event: RunEvent, position: u64, deed: &Deed) {
        let before = self.told();
        let not_run = NotRun::of(&event, deed);
        self.run.apply(event);
        self.not_run = not_run.filter(|_| self.run.started_at.is_none() && self.run.ended_at.is_some());
        let after = self.told();
        if before != after {
            self.revision += u64::from(self.revised_at.is_some());
            self.revised_at = Some(deed.at);
        }
        let micros = self.run.scheduled.as_ref().map_or(0, |scheduled| scheduled.scheduled_for.timestamp_micros());
        let place = (self.run.status, micros);
        if self.placed.last().is_none_or(|(_, status, micros)| (*status, *micros) != place) {
            self.placed.push((position, place.0, place.1));
        }
    }

    /// What a calendar says of it.
    fn told(&self) -> Option<(u64, DateTime<Utc>, bool)> {
        let scheduled = self.run.scheduled.as_ref()?;
        let off = matches!(self.run.status, RunStatus::Cancelled | RunStatus::Missed);
        Some((scheduled.definition_version, scheduled.scheduled_for, off))
    }

    /// The rows of what it wants for itself alone, while it has not ended.
    pub fn wants(&self, run_id: &str, rows: &mut Rows) -> Result<(), EventFault> {
        let scheduled = self.run.scheduled.as_ref().filter(|_| !self.run.status.terminal());
        let Some(scheduled) = scheduled else { return Ok(()) };
        let begins = self.run.started_at.unwrap_or(scheduled.scheduled_for);
        let after = |seconds: u64| begins + chrono::TimeDelta::seconds(i64::try_from(seconds).unwrap_or(i64::from(u32::MAX)));
        let wants = wants(&scheduled.plan, scheduled.concurrency_key.as_deref(), &scheduled.scope);
        for (nth, want) in wants.iter().enumerate() {
            let (begins, ends) = (after(want.from_seconds), after(want.to_seconds));
            let (want, started) = (want.name.to_text(), self.run.started_at.is_some());
            rows.put(&WANTS, &Wanted { run_id, nth, want, begins, ends, started })?;
        }
        Ok(())
    }
}

/// A row of [`WANTS`].
#[derive(Serialize)]
struct Wanted<'a, W> {
    run_id: &'a str,
    nth: usize,
    want: W,
    begins: DateTime<Utc>,
    ends: DateTime<Utc>,
    started: bool,
}
