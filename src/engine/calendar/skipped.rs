//! Occurrences that somebody took off before there was a run of them.

use chrono::{DateTime, Utc};
use leasehold_aggregates::definition::DefinitionState;
use leasehold_projections::ReadFault;

use super::forecast::without_runs;
use super::{Asked, Forecast, Listings};
use crate::engine::Engine;

impl Engine {
    /// Those of the window that is asked for, from `now` on, where they would have been. Where a run had been made, that is
    /// what is told, and nothing here.
    pub async fn skipped(&self, asked: &Asked, listings: &Listings, now: DateTime<Utc>) -> Result<Vec<Forecast>, ReadFault> {
        let pool = self.log.pool();
        let chosen = asked.chosen(pool, listings).await?;
        let wanted = listings.values().filter(|listing| {
            listing.state == DefinitionState::Ready
                && (listing.verified || !asked.verified)
                && chosen.as_ref().is_none_or(|chosen| chosen.contains(&listing.id))
        });
        let from = asked.runs.from.map_or(now, |from| from.max(now));
        let inside = |at: DateTime<Utc>| at >= from && asked.runs.to.is_none_or(|to| at < to);
        let mut skipped = Vec::new();
        for listing in wanted {
            let Some(zone) = &listing.zone else { continue };
            let all = listing.altered.skipped(&listing.content.plan.schedule, zone);
            skipped.extend(all.filter(|occurrence| inside(occurrence.at)).map(|occurrence| Forecast::of(listing, occurrence)));
        }
        without_runs(pool, skipped, i64::MAX.unsigned_abs()).await
    }
}
