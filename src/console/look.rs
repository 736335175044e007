//! What the page shows, gathered in one look.

use chrono::{DateTime, Utc};
use leasehold_aggregates::run::RunStatus;
use leasehold_projections::ledger::{LedgerFilter, LedgerRow};
use leasehold_projections::run_view::RunView;
use leasehold_projections::runs::{RunFilter, RunRow};
use leasehold_projections::{PageRequest, ReadFault, ledger, runs};

use crate::engine::{Engine, Fault};
use crate::log::Recorded;

const RUNS: u32 = 20;
/// Runs whose steps are shown: the latest that began.
const IN_FULL: usize = 3;
const TARGETS: u32 = 50;
const LINES: u32 = 25;

pub struct Look {
    pub at: DateTime<Utc>,
    pub runs: Vec<RunRow>,
    pub in_full: Vec<RunView>,
    /// Everything that some run holds, or that somebody has to look at.
    pub targets: Vec<LedgerRow>,
    /// The newest first.
    pub events: Vec<Recorded>,
}

pub async fn look(engine: &Engine) -> Result<Look, Fault> {
    let pool = engine.log.pool();
    let request = |rows| PageRequest { token: None, limit: Some(rows) };
    let runs = runs::list(pool, &RunFilter::default(), &request(RUNS)).await.map_err(unread)?.items;
    let mut in_full = Vec::new();
    for run in runs.iter().filter(|run| began(run.summary.status)).take(IN_FULL) {
        in_full.push(engine.run_view(&run.summary.id).await?);
    }
    let filter = LedgerFilter { unresolved: true, ..LedgerFilter::default() };
    let targets = ledger::list(pool, &filter, &request(TARGETS)).await.map_err(unread)?.items;
    let head = engine.log.head().await?.map_or(0, |head| head.position);
    let mut events = engine.log.read_after(head.checked_sub(u64::from(LINES)), LINES).await?;
    events.reverse();
    Ok(Look { at: engine.clock.now().await?, runs, in_full, targets, events })
}

fn began(status: RunStatus) -> bool {
    !matches!(status, RunStatus::Scheduled | RunStatus::Missed)
}

fn unread(fault: ReadFault) -> Fault {
    match fault {
        ReadFault::Database(error) => error.into(),
        other => sqlx::Error::Decode(other.into()).into(),
    }
}
