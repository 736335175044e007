//! What the page shows, gathered in one look.

use chrono::{DateTime, Utc};
use leasehold_projections::ledger::{LedgerFilter, LedgerRow};
use leasehold_projections::run_view::RunView;
use leasehold_projections::runs::{Part, RunRow};
use leasehold_projections::{MOST, PageRequest, ReadFault, ledger, runs};

use crate::engine::links::LinkStatus;
use crate::engine::stop::Stopped;
use crate::engine::{Engine, Fault};
use crate::log::Recorded;

/// Runs of each part that are listed.
const UNDER_WAY: u32 = 20;
const TO_COME: u32 = 10;
const ENDED: u32 = 10;
/// Runs whose steps are shown.
const IN_FULL: usize = 5;
const LINES: u32 = 25;

pub struct Look {
    pub at: DateTime<Utc>,
    /// Those under way, those to come, and the newest that ended.
    pub runs: Vec<Seen>,
    /// Those under way; where there is none, the newest that did something.
    pub in_full: Vec<RunView>,
    /// Everything that some run holds, or that somebody has to look at.
    pub targets: Vec<LedgerRow>,
    /// There are more targets than are shown.
    pub more_targets: bool,
    /// The games that are not reached.
    pub out_of_reach: Vec<LinkStatus>,
    /// The stop of everything, while it is in force.
    pub stopped: Option<Stopped>,
    /// The newest first.
    pub events: Vec<Recorded>,
}

/// One run of the list.
pub struct Seen {
    pub row: RunRow,
    /// The run that holds it up, which rows do not tell.
    pub blocked_by: Option<String>,
}

pub async fn look(engine: &Engine) -> Result<Look, Fault> {
    let (pool, at) = (engine.log.pool(), engine.clock.now().await?);
    let under_way = runs::part(pool, Part::UnderWay, UNDER_WAY).await.map_err(unread)?;
    let to_come = runs::part(pool, Part::ToCome, TO_COME).await.map_err(unread)?;
    let ended = runs::part(pool, Part::Ended, ENDED).await.map_err(unread)?;
    let in_full = in_full(engine, &under_way, &ended).await?;
    let mut runs: Vec<Seen> = under_way.into_iter().map(plain).collect();
    for row in to_come {
        runs.push(held_up(engine, row, at).await?);
    }
    runs.extend(ended.into_iter().map(plain));
    let filter = LedgerFilter { unresolved: true, ..LedgerFilter::default() };
    let targets = ledger::list(pool, &filter, &PageRequest { token: None, limit: Some(MOST) }).await.map_err(unread)?;
    let head = engine.log.head().await?.map_or(0, |head| head.position);
    let mut events = engine.log.read_after(head.checked_sub(u64::from(LINES)), LINES).await?;
    events.reverse();
    let out_of_reach = engine.links.statuses().into_iter().filter(|link| !link.connected).collect();
    let more_targets = targets.next_page_token.is_some();
    let stopped = engine.stopped().await?;
    Ok(Look { at, stopped, runs, in_full, more_targets, targets: targets.items, out_of_reach, events })
}

async fn in_full(engine: &Engine, under_way: &[RunRow], ended: &[RunRow]) -> Result<Vec<RunView>, Fault> {
    let last = ended.iter().find(|run| run.summary.started_at.is_some()).filter(|_| under_way.is_empty());
    let mut views = Vec::new();
    for run in under_way.iter().take(IN_FULL).chain(last) {
        views.push(engine.run_view(&run.summary.id).await?);
    }
    Ok(views)
}

fn plain(row: RunRow) -> Seen {
    Seen { row, blocked_by: None }
}

/// Only a run that is due can be held up.
async fn held_up(engine: &Engine, row: RunRow, at: DateTime<Utc>) -> Result<Seen, Fault> {
    if row.summary.scheduled_for > at {
        return Ok(plain(row));
    }
    let blocked_by = engine.run_view(&row.summary.id).await?.blocked_by;
    Ok(Seen { row, blocked_by })
}

fn unread(fault: ReadFault) -> Fault {
    match fault {
        ReadFault::NotBuilt => Fault::NotBuilt,
        ReadFault::Database(error) => error.into(),
        other => sqlx::Error::Decode(other.into()).into(),
    }
}
