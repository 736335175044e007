use leasehold_aggregates::series::{Series, SeriesRefusal};

use super::SeriesStanding;
use crate::engine::definitions::Wanted;
use crate::engine::streams::{Loaded, load};
use crate::engine::{Engine, Fault};

impl Engine {
    /// The series as it stands; a refusal where there is none, or none any more.
    pub async fn series(&self, id: &str) -> Result<SeriesStanding, Fault> {
        let series = self.loaded_series(id).await?;
        let definitions = self.log.count_drafts_in_series(id).await?;
        Ok(SeriesStanding { id: series.id, series: series.state, revision: series.sequence, definitions, position: 0 })
    }

    pub(super) async fn loaded_series(&self, id: &str) -> Result<Loaded<Series>, Fault> {
        let series: Loaded<Series> = load(&self.log, id).await?;
        if series.state.exists() { Ok(series) } else { Err(Fault::refused(SeriesRefusal::Missing)) }
    }

    /// The series, if it is at a revision that the caller will accept.
    pub(super) async fn wanted_series(&self, id: &str, wanted: &Wanted) -> Result<Loaded<Series>, Fault> {
        let series = self.loaded_series(id).await?;
        if wanted.takes(series.sequence) {
            Ok(series)
        } else {
            Err(Fault::refused(SeriesRefusal::Stale { current: series.sequence }))
        }
    }
}
