//! Published definitions, kept in memory: what every calendar is told from beside its runs. Before each use it takes in what
//! the rows have that it has not, so that it is never behind them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use leasehold_aggregates::zones::Zones;
use leasehold_projections::{ReadFault, definitions};
use sqlx::PgPool;

use super::Listing;

/// By definition.
pub type Listings = Arc<BTreeMap<String, Arc<Listing>>>;

/// The almanac of one engine.
#[derive(Default)]
pub struct Almanac(Mutex<Known>);

#[derive(Clone, Default)]
struct Known {
    /// The newest position that it was told from.
    position: Option<u64>,
    listings: Listings,
}

impl Almanac {
    /// Every published definition, as the rows stand.
    pub async fn current(&self, pool: &PgPool, zones: &Zones) -> Result<Listings, ReadFault> {
        let mut known = self.known().clone();
        let changed = definitions::changed_since(pool, known.position).await?;
        if changed.is_empty() {
            return Ok(known.listings);
        }
        let listings = Arc::make_mut(&mut known.listings);
        for (id, position, standing) in changed {
            known.position = known.position.max(Some(position));
            if let Some(listing) = Listing::of(&id, &standing, zones) {
                listings.insert(id, Arc::new(listing));
            }
        }
        let mut kept = self.known();
        if kept.position < known.position {
            kept.clone_from(&known);
        }
        Ok(known.listings)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
