use std::collections::BTreeSet;

use leasehold_aggregates::definition::DefinitionState;
use leasehold_projections::runs::RunFilter;
use leasehold_projections::{ReadFault, definitions};
use sqlx::PgPool;

use super::Listings;

/// What is asked of the calendar; what is absent does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// Of runs; the window is that of forecasts, too.
    pub runs: RunFilter,
    /// Forecasts are wanted beside runs.
    pub forecasts: bool,
    /// Only what takes place is forecast: versions that no dry run has passed are left out.
    pub verified: bool,
    pub definition: Option<String>,
    /// Definitions in one of these states; empty: any.
    pub states: Vec<DefinitionState>,
    pub category: Option<String>,
    /// The series' id.
    pub series: Option<String>,
}

impl Asked {
    /// Which definitions it is about; none: all of them.
    pub async fn chosen(&self, pool: &PgPool, listings: &Listings) -> Result<Option<BTreeSet<String>>, ReadFault> {
        let series: Option<BTreeSet<String>> = match &self.series {
            Some(series) => Some(definitions::in_series(pool, series).await?.into_iter().collect()),
            None => None,
        };
        if self.definition.is_none() && self.states.is_empty() && self.category.is_none() && series.is_none() {
            return Ok(None);
        }
        let fits = |listing: &super::Listing| {
            self.definition.as_ref().is_none_or(|id| *id == listing.id)
                && (self.states.is_empty() || self.states.contains(&listing.state))
                && self.category.as_ref().is_none_or(|category| *category == listing.content.category)
                && series.as_ref().is_none_or(|series| series.contains(&listing.id))
        };
        Ok(Some(listings.values().filter(|listing| fits(listing)).map(|listing| listing.id.clone()).collect()))
    }
}
