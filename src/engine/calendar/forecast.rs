//! What schedules say of the time for which there are no runs yet.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use leasehold_aggregates::definition::DefinitionState;
use leasehold_aggregates::schedule::{Occurrence, occurrence_id};
use leasehold_projections::ReadFault;
use leasehold_projections::runs::{RunPlace, occupied};
use sqlx::PgPool;

use super::{Listing, Listings};
use crate::engine::runs::controls::MAIN;

/// The generation of a slot that has never been cancelled and opened again.
const FIRST: u32 = 0;

/// An occurrence that has no run.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// The id that its run would have.
    pub id: String,
    pub listing: Arc<Listing>,
    pub occurrence: Occurrence,
}

impl Forecast {
    pub(super) fn of(listing: &Arc<Listing>, occurrence: Occurrence) -> Self {
        let id = occurrence_id(&listing.id, MAIN, occurrence.local, FIRST).to_string();
        Self { id, listing: listing.clone(), occurrence }
    }
}

/// Every occurrence of a definition from an instant on, ascending, as far as anybody can tell today: the one place where a
/// calendar expands a schedule.
pub fn slots(listing: &Listing, from: DateTime<Utc>) -> Box<dyn Iterator<Item = Occurrence> + Send + '_> {
    match &listing.zone {
        Some(zone) if listing.state == DefinitionState::Ready => {
            Box::new(listing.altered.occurrences(&listing.content.plan.schedule, zone, from))
        }
        _ => Box::new(std::iter::empty()),
    }
}

/// Where forecasts are wanted: from an instant on and up to another (which is not in it), behind a place in the list, and
/// in front of another.
pub(super) struct Window {
    pub from: DateTime<Utc>,
    pub to: Option<DateTime<Utc>>,
    pub after: Option<RunPlace>,
    pub before: Option<RunPlace>,
    /// Versions that no dry run has passed are left out.
    pub verified: bool,
}

/// At most `limit` forecasts of these definitions, the earliest first: occurrences that have no run at the position `stands`.
pub(super) async fn ahead(
    pool: &PgPool,
    listings: &Listings,
    chosen: Option<&BTreeSet<String>>,
    window: &Window,
    limit: usize,
    stands: u64,
) -> Result<Vec<Forecast>, ReadFault> {
    let mut found = Vec::new();
    let mut all = Merged::of(listings, chosen, window);
    while found.len() < limit {
        let some: Vec<Forecast> = all.by_ref().take(limit).collect();
        if some.is_empty() {
            break;
        }
        found.extend(without_runs(pool, some, stands).await?);
    }
    found.truncate(limit);
    Ok(found)
}

/// Those that have no run at the position `stands`.
pub(super) async fn without_runs(pool: &PgPool, forecasts: Vec<Forecast>, stands: u64) -> Result<Vec<Forecast>, ReadFault> {
    if forecasts.is_empty() {
        return Ok(forecasts);
    }
    let ids: Vec<String> = forecasts.iter().map(|forecast| forecast.id.clone()).collect();
    let definitions: Vec<&str> = forecasts.iter().map(|forecast| forecast.listing.id.as_str()).collect();
    let instants: Vec<DateTime<Utc>> = forecasts.iter().map(|forecast| forecast.occurrence.at).collect();
    let taken: BTreeSet<String> = occupied(pool, &ids, &definitions, &instants, stands).await?.into_iter().collect();
    Ok(forecasts.into_iter().filter(|forecast| !taken.contains(&forecast.id)).collect())
}

/// The occurrences of many definitions in one order.
struct Merged<'a> {
    window: &'a Window,
    /// The next of each, the earliest on top: instant, id, index.
    next: BinaryHeap<Reverse<(DateTime<Utc>, String, usize)>>,
    each: Vec<One<'a>>,
}

struct One<'a> {
    listing: &'a Arc<Listing>,
    rest: Box<dyn Iterator<Item = Occurrence> + Send + 'a>,
    next: Option<Forecast>,
}

impl<'a> Merged<'a> {
    fn of(listings: &'a Listings, chosen: Option<&BTreeSet<String>>, window: &'a Window) -> Self {
        let mut merged = Self { window, next: BinaryHeap::new(), each: Vec::new() };
        let from = window.after.as_ref().map_or(window.from, |after| after.at.max(window.from));
        let wanted = |listing: &Listing| {
            chosen.is_none_or(|chosen| chosen.contains(&listing.id)) && (listing.verified || !window.verified)
        };
        for listing in listings.values().filter(|listing| wanted(listing)) {
            merged.each.push(One { listing, rest: slots(listing, from), next: None });
            merged.draw(merged.each.len() - 1);
        }
        merged
    }

    /// Looks at the next occurrence of one definition.
    fn draw(&mut self, nth: usize) {
        let one = &mut self.each[nth];
        let Some(occurrence) = one.rest.next() else { return };
        let place = |forecast: &Forecast| RunPlace { status: String::new(), at: forecast.occurrence.at, id: forecast.id.clone() };
        let forecast = Forecast::of(one.listing, occurrence);
        let place = place(&forecast);
        let ended =
            self.window.to.is_some_and(|to| place.at >= to) || self.window.before.as_ref().is_some_and(|before| place >= *before);
        if !ended {
            self.next.push(Reverse((place.at, place.id, nth)));
            one.next = Some(forecast);
        }
    }
}

impl Iterator for Merged<'_> {
    type Item = Forecast;

    fn next(&mut self) -> Option<Forecast> {
        loop {
            let Reverse((at, id, nth)) = self.next.pop()?;
            let forecast = self.each[nth].next.take()?;
            self.draw(nth);
            let after = self.window.after.as_ref();
            if after.is_none_or(|after| (at, &id) > (after.at, &after.id)) {
                return Some(forecast);
            }
        }
    }
}
