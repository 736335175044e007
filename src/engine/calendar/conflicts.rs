//! What is in the way of what: one concurrency key, or one borrowed value, wanted by two entries at the same time. As far as
//! plans tell beforehand; nothing is decided by it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use leasehold_aggregates::run::{Want, WantName};
use leasehold_projections::ReadFault;
use leasehold_projections::runs::{RunWant, wanted, wants_of};
use schemars::JsonSchema;
use serde::Serialize;
use sqlx::PgPool;

use super::forecast::{slots, without_runs};
use super::{Entry, Forecast, Kind, Listing, Listings};
use crate::engine::Engine;

/// Others that are named for one want.
const MOST: u32 = 20;

/// One thing that others want while an entry wants it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Conflict {
    pub kind: ConflictKind,
    /// The rendered concurrency key; the borrowed value as MODULE/SCOPE/KIND/REF.
    pub name: String,
    /// The others, the earliest first; at most 20 runs and 20 projections.
    pub with: Vec<Other>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConflictKind {
    ConcurrencyKey,
    Value,
}

/// An entry that is in another's way.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Other {
    pub at: DateTime<Utc>,
    pub id: String,
    pub kind: Kind,
    pub definition_id: String,
    pub title: String,
}

/// Something wanted in a span of time, by the entry of that index.
struct Span {
    entry: usize,
    want: String,
    begins: DateTime<Utc>,
    ends: DateTime<Utc>,
}

impl Engine {
    /// What is in the way of each of these entries, in their order. A run that has ended is in nobody's way.
    pub async fn conflicts(
        &self,
        entries: &[Entry],
        listings: &Listings,
        now: DateTime<Utc>,
    ) -> Result<Vec<Vec<Conflict>>, ReadFault> {
        let pool = self.log.pool();
        let spans = spans(pool, entries).await?;
        let mut others = by_runs(pool, &spans, now).await?;
        for (nth, other) in by_forecasts(pool, &spans, listings, now).await? {
            others[nth].insert(other);
        }
        let mut conflicts: Vec<BTreeMap<String, BTreeSet<Other>>> = entries.iter().map(|_| BTreeMap::new()).collect();
        for (span, others) in spans.iter().zip(others) {
            let itself = entries[span.entry].id();
            let others: BTreeSet<Other> = others.into_iter().filter(|other| other.id != itself).collect();
            if !others.is_empty() {
                conflicts[span.entry].entry(span.want.clone()).or_default().extend(others);
            }
        }
        Ok(conflicts.into_iter().map(|of| of.into_iter().map(|(want, with)| conflict(&want, with)).collect()).collect())
    }
}

fn conflict(want: &str, with: BTreeSet<Other>) -> Conflict {
    let (kind, name) = match want.split_once(':') {
        Some((WantName::KEY, name)) => (ConflictKind::ConcurrencyKey, name),
        Some((_, name)) => (ConflictKind::Value, name),
        None => (ConflictKind::Value, want),
    };
    Conflict { kind, name: name.to_owned(), with: with.into_iter().collect() }
}

/// What the entries want: of runs as their rows tell, of forecasts as their version tells.
async fn spans(pool: &PgPool, entries: &[Entry]) -> Result<Vec<Span>, ReadFault> {
    let runs: Vec<&str> = entries.iter().filter_map(Entry::run).map(|run| run.summary.id.as_str()).collect();
    let mut wanted: BTreeMap<String, Vec<RunWant>> = BTreeMap::new();
    for want in wants_of(pool, &runs).await? {
        wanted.entry(want.run_id.clone()).or_default().push(want);
    }
    let mut spans = Vec::new();
    for (entry, of) in entries.iter().enumerate() {
        match of {
            Entry::Run(run) => {
                for RunWant { want, begins, ends, .. } in wanted.remove(&run.summary.id).into_iter().flatten() {
                    spans.push(Span { entry, want, begins, ends });
                }
            }
            Entry::Forecast(forecast) => {
                let at = forecast.occurrence.at;
                spans.extend(forecast.listing.wants.iter().map(|want| Span {
                    entry,
                    want: want.name.to_text(),
                    begins: at + seconds(want.from_seconds),
                    ends: at + seconds(want.to_seconds),
                }));
            }
        }
    }
    Ok(spans)
}

/// The runs that want what is wanted in each span.
async fn by_runs(pool: &PgPool, spans: &[Span], now: DateTime<Utc>) -> Result<Vec<BTreeSet<Other>>, ReadFault> {
    let wants: Vec<String> = spans.iter().map(|span| span.want.clone()).collect();
    let begins: Vec<DateTime<Utc>> = spans.iter().map(|span| span.begins).collect();
    let ends: Vec<DateTime<Utc>> = spans.iter().map(|span| span.ends).collect();
    let mut others: Vec<BTreeSet<Other>> = spans.iter().map(|_| BTreeSet::new()).collect();
    for by in wanted(pool, (&wants, &begins, &ends), now, MOST + 1).await? {
        let other = Other { at: by.at, id: by.run_id, kind: Kind::Run, definition_id: by.definition_id, title: by.title };
        if let Some(others) = others.get_mut(by.nth) {
            others.insert(other);
        }
    }
    Ok(others)
}

/// A definition with one of its wants.
type Wanting<'a> = (&'a Arc<Listing>, &'a Want);

/// The forecasts that want what is wanted in a span, with the span's index.
async fn by_forecasts(
    pool: &PgPool,
    spans: &[Span],
    listings: &Listings,
    now: DateTime<Utc>,
) -> Result<Vec<(usize, Other)>, ReadFault> {
    let mut wanted_by: BTreeMap<String, Vec<Wanting<'_>>> = BTreeMap::new();
    for (listing, want) in listings.values().flat_map(|listing| listing.wants.iter().map(move |want| (listing, want))) {
        wanted_by.entry(want.name.to_text()).or_default().push((listing, want));
    }
    let mut found: Vec<(usize, Forecast)> = Vec::new();
    for (nth, span) in spans.iter().enumerate() {
        for (listing, want) in wanted_by.get(&span.want).into_iter().flatten() {
            let (from, to) = (seconds(want.from_seconds), seconds(want.to_seconds));
            let overlapping = slots(listing, (span.begins - to).max(now))
                .take_while(|occurrence| occurrence.at + from < span.ends)
                .filter(|occurrence| occurrence.at + to > span.begins);
            found.extend(overlapping.take(MOST as usize + 1).map(|occurrence| (nth, Forecast::of(listing, occurrence))));
        }
    }
    let all = found.iter().map(|(_, forecast)| forecast.clone()).collect();
    let free: BTreeSet<String> = without_runs(pool, all, u64::MAX).await?.into_iter().map(|forecast| forecast.id).collect();
    let other = |forecast: Forecast| Other {
        at: forecast.occurrence.at,
        definition_id: forecast.listing.id.clone(),
        title: forecast.listing.content.title.clone(),
        id: forecast.id,
        kind: Kind::Projection,
    };
    let free = found.into_iter().filter(|(_, forecast)| free.contains(&forecast.id));
    Ok(free.map(|(nth, forecast)| (nth, other(forecast))).collect())
}

fn seconds(seconds: u64) -> TimeDelta {
    TimeDelta::seconds(i64::try_from(seconds).unwrap_or(i64::from(u32::MAX)).min(i64::from(u32::MAX)))
}
