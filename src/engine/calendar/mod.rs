//! The calendar: the runs that there are, and behind them what the schedules of published versions forecast.
//!
//! A run is a booking: somebody can cancel it. A forecast is arithmetic: no run of that occurrence is there yet. An
//! occurrence is told once, as the one or the other, under one name: the id that its run has or would have.

mod almanac;
mod asked;
mod conflicts;
mod entry;
mod forecast;
mod listing;
mod skipped;

pub use almanac::{Almanac, Listings};
pub use asked::Asked;
pub use conflicts::{Conflict, ConflictKind, Other};
pub use entry::{Entry, Kind};
pub use forecast::Forecast;
pub use listing::Listing;

use chrono::{DateTime, Utc};
use leasehold_projections::runs::{After, ENTRY, Placed, RunFilter, RunPlace, RunSort, paged, sorted};
use leasehold_projections::{Page, PageRequest, ReadFault};

use super::Engine;
use forecast::Window;

/// A page of the calendar, with what is known of the definitions that it names.
pub struct CalendarPage {
    pub page: Page<Entry>,
    pub listings: Listings,
}

impl Engine {
    /// What is known of every published definition, as the rows stand.
    pub async fn listings(&self) -> Result<Listings, ReadFault> {
        self.almanac.current(self.log.pool(), self.zones()).await
    }

    /// One page, the earliest first. `list` names the list in its tokens; no forecast lies before `now`.
    ///
    /// All pages of one list stand at the place of the log that the first was told from: what becomes a run between two
    /// pages stays the forecast that it was.
    pub async fn calendar(
        &self,
        asked: &Asked,
        request: &PageRequest,
        list: &str,
        now: DateTime<Utc>,
    ) -> Result<CalendarPage, ReadFault> {
        let (limit, after) = (request.rows()?, After::of(request, list)?);
        let (pool, listings) = (self.log.pool(), self.listings().await?);
        let chosen = asked.chosen(pool, &listings).await?;
        let definitions = chosen.as_ref().map(|chosen| chosen.iter().cloned().collect());
        let filter = RunFilter { definitions, ..asked.runs.clone() };
        let (runs, stands) = sorted(pool, &ENTRY, &filter, RunSort::ByInstant, &after, limit + 1).await?;
        let full = runs.len() > limit as usize;
        let before = runs.last().map(|run| run.place.clone()).filter(|_| full);
        let run = |placed: Placed<_>| Placed { row: Entry::Run(Box::new(placed.row)), place: placed.place };
        let mut entries: Vec<Placed<Entry>> = runs.into_iter().map(run).collect();
        if asked.forecasts {
            let from = asked.runs.from.map_or(now, |from| from.max(now));
            let window = Window { from, to: asked.runs.to, after: after.place, before, verified: asked.verified };
            let ahead = forecast::ahead(pool, &listings, chosen.as_ref(), &window, limit as usize + 1, stands).await?;
            entries.extend(ahead.into_iter().map(|forecast| {
                let place = RunPlace { status: String::new(), at: forecast.occurrence.at, id: forecast.id.clone() };
                Placed { row: Entry::Forecast(Box::new(forecast)), place }
            }));
            entries.sort_by(|one, other| one.place.cmp(&other.place));
        }
        Ok(CalendarPage { page: paged(list, entries, stands, limit), listings })
    }
}
