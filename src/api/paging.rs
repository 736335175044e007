//! What every read of a projection takes: `pageToken`, `limit`, and `minPosition`, a position that the rows must contain.

use std::time::Duration;

use leasehold_projections::{MOST, PageRequest};

use super::query::Query;
use super::{Api, Problem};

/// How long a read waits for its rows.
const PATIENCE: Duration = Duration::from_secs(5);
/// Longest page token that is looked at.
const LONGEST_TOKEN: usize = 2_000;

pub struct Paging {
    pub page: PageRequest,
    min_position: Option<u64>,
}

impl Paging {
    pub fn of(query: &mut Query) -> Self {
        let token = query.text("pageToken", LONGEST_TOKEN);
        let limit = query.number("limit", 1..=u64::from(MOST)).and_then(|limit| u32::try_from(limit).ok());
        let min_position = query.number("minPosition", 0..=i64::MAX.unsigned_abs());
        Self { page: PageRequest { token, limit }, min_position }
    }

    /// Waits until the rows of these projections contain the position that was asked for.
    pub async fn reached(&self, api: &Api, projections: &[&str]) -> Result<(), Problem> {
        let (Some(position), Some(projectors)) = (self.min_position, api.engine.projectors()) else { return Ok(()) };
        for projection in projections {
            projectors.wait_for(projection, position, PATIENCE).await?;
        }
        Ok(())
    }
}
