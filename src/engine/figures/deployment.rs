//! What the database knows.

use std::time::Duration;

use leasehold_aggregates::ledger::EntryStatus;
use leasehold_aggregates::run::{CleanupStatus, Health, RunStatus};
use leasehold_projections::runs::OpenRuns;
use leasehold_projections::{ReadFault, ledger, runs};
use uuid::Uuid;

use crate::engine::consumers::{Consumer, Gatekeeper, Runner, Scheduler};
use crate::engine::firings::Dispatcher;
use crate::engine::materialise::MATERIALISE;
use crate::engine::projector::Projectors;
use crate::engine::signals::FEED;
use crate::engine::{Engine, Fault};
use crate::log::{DueCount, Followed, Lag, Log, LogError};
use crate::telling::catalogue as c;

/// An item that has been due for longer is overdue: whatever is up looks every ten seconds at the latest.
const OVERDUE: Duration = Duration::from_secs(10);
/// Every kind of staged item; one that nobody here knows is `other`.
const KINDS: [&str; 8] = ["start", "grace_end", "advance", "claim_expiry", "sweep", "undo_expiry", MATERIALISE, OTHER];
const OTHER: &str = "other";
const UNRESOLVED: [EntryStatus; 5] =
    [EntryStatus::Pending, EntryStatus::Confirmed, EntryStatus::Reverting, EntryStatus::Drifted, EntryStatus::Orphaned];

pub(super) struct Deployment {
    head: Option<u64>,
    lags: Vec<Lag>,
    feeds: Vec<Followed>,
    due: Vec<DueCount>,
    runs: Vec<OpenRuns>,
    ledger: Vec<(EntryStatus, u64)>,
}

/// Rows that are being built for the first time are not counted yet.
fn of_rows<T>(counted: Result<Vec<T>, sqlx::Error>) -> Result<Vec<T>, sqlx::Error> {
    match counted.map_err(ReadFault::from) {
        Ok(counts) => Ok(counts),
        Err(ReadFault::Database(error)) => Err(error),
        Err(_) => Ok(Vec::new()),
    }
}

impl Deployment {
    pub async fn read(engine: &Engine) -> Result<Self, Fault> {
        let now = engine.clock.now().await?;
        let consumers = [Scheduler::NAME, Runner::NAME, Gatekeeper::NAME, Dispatcher::NAME].into_iter().map(str::to_owned);
        let projections = engine.projectors().into_iter().flat_map(Projectors::consumers);
        let consumers: Vec<String> = consumers.chain(projections).collect();
        let head = engine.log.head().await?.map(|head| head.position);
        let mut connection = engine.log.pool().acquire().await.map_err(LogError::from)?;
        Ok(Self {
            head,
            lags: Log::lags(&mut connection, &consumers).await?,
            feeds: Log::followed(&mut connection, &format!("{FEED}/")).await?,
            due: Log::due_counts(&mut connection, now, OVERDUE).await?,
            runs: of_rows(runs::open(&mut connection).await)?,
            ledger: of_rows(ledger::unresolved(&mut connection).await)?,
        })
    }

    /// `here`: this process, as leadership rows name it.
    pub fn tell(&self, here: Uuid) {
        if let Some(head) = self.head {
            c::HEAD.count(&[], head);
        }
        for lag in &self.lags {
            let consumer = &[lag.consumer.as_str()];
            c::LAG_EVENTS.count(consumer, lag.behind);
            c::LAG_SECONDS.set(consumer, lag.waiting);
            c::LED.flag(consumer, lag.holder.is_some());
            c::LEADS.flag(consumer, lag.holder == Some(here));
            c::EPOCH.count(consumer, lag.epoch);
        }
        for feed in &self.feeds {
            let consumer = &[feed.consumer.as_str()];
            c::FEED_POSITION.count(consumer, feed.position);
            c::LED.flag(consumer, true);
            c::LEADS.flag(consumer, feed.holder == here);
            c::EPOCH.count(consumer, feed.epoch);
        }
        self.tell_due();
        self.tell_runs();
        for status in UNRESOLVED {
            let held = self.ledger.iter().filter(|(known, _)| *known == status).map(|(_, targets)| targets);
            c::LEDGER.count(&[status.into()], held.sum());
        }
    }

    fn tell_due(&self) {
        for kind in KINDS {
            let known = |count: &&DueCount| kind_of(&count.kind) == kind;
            let of_kind = || self.due.iter().filter(known);
            c::DUE.count(&[kind], of_kind().map(|count| count.due).sum());
            c::OVERDUE.count(&[kind], of_kind().map(|count| count.overdue).sum());
            let oldest = of_kind().map(|count| count.oldest).max().unwrap_or_default();
            c::DUE_AGE.set(&[kind], oldest.as_secs_f64());
        }
    }

    fn tell_runs(&self) {
        let count = |which: &dyn Fn(&OpenRuns) -> bool| self.runs.iter().filter(|open| which(open)).map(|open| open.runs).sum();
        for status in [RunStatus::Scheduled, RunStatus::Running, RunStatus::Paused] {
            c::RUNS.count(&[status.into()], count(&|open| open.status == status));
        }
        for health in [Health::Degraded, Health::Stalled] {
            c::RUNS_DEGRADED.count(&[health.into()], count(&|open| open.health == health && !open.status.terminal()));
        }
        for cleanup in [CleanupStatus::Pending, CleanupStatus::Incomplete] {
            c::RUNS_UNCLEAN.count(&[cleanup.into()], count(&|open| open.cleanup == cleanup && open.status.terminal()));
        }
    }
}

/// A kind as a label: whatever a raw writer stages makes no series of its own.
pub(in crate::engine) fn kind_of(kind: &str) -> &'static str {
    KINDS.into_iter().find(|known| *known == kind).unwrap_or(OTHER)
}

#[cfg(test)]
mod tests {
    use leasehold_aggregates::run::DueKind;

    use super::*;

    #[test]
    fn every_kind_of_item_has_its_series_and_no_other_has() {
        use DueKind::{Advance, ClaimExpiry, GraceEnd, Start, Sweep, UndoExpiry};
        for kind in [Start, GraceEnd, Advance, ClaimExpiry, Sweep, UndoExpiry] {
            let word: &'static str = kind.into();
            assert_eq!(kind_of(word), word);
        }
        assert_eq!((kind_of("materialise"), kind_of("x\ny"), kind_of("")), ("materialise", "other", "other"));
    }
}
