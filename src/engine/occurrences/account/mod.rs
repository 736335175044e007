//! The account of a window: every occurrence that was to happen in it, and what became of each. What was executed and what
//! was not add up to what the schedules say.
//!
//! An occurrence belongs to the window by the instant that the schedule gives it, wherever it was moved to. It counts where
//! the version that was in force at that instant has its slot; and where it was on the calendar once, whatever schedule
//! had it.

mod fate;
mod source;

pub use fate::{Fate, Outcome};

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use leasehold_aggregates::zones::{DstAdjusted, Zones};
use leasehold_projections::definitions::{self, SlotFact};
use leasehold_projections::{Page, PageRequest, ReadFault, runs, token};
use serde::Serialize;
use uuid::Uuid;

use crate::log::{Log, LogError};
use source::{Named, Sources};

/// Longest window of one account.
pub const LONGEST: TimeDelta = TimeDelta::days(366);
/// Slots that are looked at together.
const BATCH: usize = 500;
/// Slots that one page looks at. A page with fewer rows than were asked for may have a next one.
const MOST_LOOKED_AT: usize = 20_000;
/// The list's name in its page tokens.
const LIST: &str = "occurrences";
/// No offset from UTC changes an instant by more.
const REACH: TimeDelta = TimeDelta::hours(50);

/// Which occurrences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub from: DateTime<Utc>,
    pub to: DateTime<Utc>,
    pub definition_id: Option<String>,
    /// Only what was executed, or only what was not; absent: also what is ahead.
    pub executed: Option<bool>,
}

/// One occurrence and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Accounted {
    pub definition_id: String,
    pub slug: String,
    pub title: String,
    pub version: u64,
    /// The wall clock that the schedule names it by.
    pub slot: String,
    pub timezone: String,
    /// The instant that the schedule gives it.
    pub at: DateTime<Utc>,
    /// When it happened, or is to happen.
    pub scheduled_for: DateTime<Utc>,
    pub moved_from: Option<DateTime<Utc>>,
    pub dst_adjusted: Option<DstAdjusted>,
    pub run_id: Option<String>,
    #[serde(flatten)]
    pub fate: Fate,
}

/// Why there is no account.
#[derive(Debug, thiserror::Error)]
pub enum AccountFault {
    #[error(transparent)]
    Read(#[from] ReadFault),
    #[error(transparent)]
    Log(#[from] LogError),
}

type Key = (DateTime<Utc>, String, String);

impl Accounted {
    fn key(&self) -> Key {
        (self.at, self.definition_id.clone(), self.slot.clone())
    }
}

/// One page of the account, in the order of the instants that the schedules give.
pub async fn account(
    log: &Log,
    zones: &Zones,
    now: DateTime<Utc>,
    asked: &Asked,
    request: &PageRequest,
) -> Result<Page<Accounted>, AccountFault> {
    let rows = request.rows()? as usize;
    let after = after(request)?;
    let (pool, definition) = (log.pool(), asked.definition_id.as_deref());
    let sources = Sources::of(definitions::schedules(pool, definition, asked.from, asked.to).await?, zones);
    let start = after.as_ref().map_or(asked.from, |(at, ..)| *at);
    let (mut named, mut begun, mut looked_at) = (sources.named(start..asked.to), start, 0);
    let mut items: Vec<Accounted> = Vec::new();
    loop {
        let (batch, end) = named.batch(BATCH, asked.to);
        let mut some = told(log, &sources, now, asked, begun..end, &batch).await?;
        some.sort_by_key(Accounted::key);
        some.retain(|one| after.as_ref().is_none_or(|after| one.key() > *after));
        looked_at += some.len();
        let last = some.last().map(Accounted::key);
        some.retain(|one| asked.executed.is_none_or(|executed| one.fate.is_of(executed)));
        items.extend(some);
        let next = if items.len() > rows {
            items.truncate(rows);
            items.last().map(Accounted::key)
        } else if end >= asked.to {
            None
        } else if looked_at >= MOST_LOOKED_AT && last.is_some() {
            last
        } else {
            begun = end;
            continue;
        };
        put_words(log, &mut items).await?;
        let next_page_token =
            next.map(|(at, definition, slot)| token(LIST, &[at.timestamp_micros().to_string(), definition, slot]));
        return Ok(Page { items, next_page_token });
    }
}

fn after(request: &PageRequest) -> Result<Option<Key>, AccountFault> {
    let Some([at, definition, slot]) = request.after::<3>(LIST)? else { return Ok(None) };
    let at = at.parse().ok().and_then(DateTime::from_timestamp_micros).ok_or(ReadFault::BadToken)?;
    Ok(Some((at, definition, slot)))
}

/// What became of the slots of one batch, and of runs in its span that no schedule in force names.
async fn told(
    log: &Log,
    sources: &Sources,
    now: DateTime<Utc>,
    asked: &Asked,
    span: std::ops::Range<DateTime<Utc>>,
    batch: &[Named<'_>],
) -> Result<Vec<Accounted>, AccountFault> {
    let definition = asked.definition_id.as_deref();
    let found = runs::in_slots(log.pool(), definition, span.start - REACH, span.end + REACH).await?;
    let first = (span.start - REACH).format("%Y-%m-%d").to_string();
    let last = (span.end + REACH + TimeDelta::days(1)).format("%Y-%m-%d").to_string();
    let facts = definitions::facts(log.pool(), definition, &first, &last).await?;
    let latest: BTreeMap<(&str, &str), &SlotFact> =
        facts.iter().map(|fact| ((fact.definition_id.as_str(), fact.slot.as_str()), fact)).collect();
    let by_slot: BTreeMap<(&str, &str), &runs::SlotRun> =
        found.iter().map(|run| ((run.definition_id.as_str(), run.slot.as_str()), run)).collect();

    let mut seen = BTreeSet::new();
    let mut items = Vec::new();
    for named in batch {
        let slot = named.slot.to_string();
        let key = (named.source.definition_id.as_str(), slot.as_str());
        let (run, fact) = (by_slot.get(&key).copied(), latest.get(&key).copied());
        items.push(fate::of_slot(named, &slot, run, fact, now));
        seen.insert((named.source.definition_id.clone(), slot));
    }
    for run in found.iter().filter(|run| span.contains(&run.slot_at)) {
        let key = (run.definition_id.clone(), run.slot.clone());
        if !seen.contains(&key) && !sources.names(run, asked.from..asked.to) {
            let fact = latest.get(&(run.definition_id.as_str(), run.slot.as_str())).copied();
            items.push(fate::of_run(run, fact));
        }
    }
    Ok(items)
}

/// What people wrote about it, as far as it is kept.
async fn put_words(log: &Log, items: &mut [Accounted]) -> Result<(), AccountFault> {
    let ids: Vec<Uuid> = items.iter().filter_map(|item| item.fate.note).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let words: BTreeMap<Uuid, String> =
        log.notes(&ids).await?.into_iter().filter_map(|note| Some((note.id, note.body?))).collect();
    for item in items {
        item.fate.words = item.fate.note.and_then(|id| words.get(&id).cloned());
    }
    Ok(())
}
