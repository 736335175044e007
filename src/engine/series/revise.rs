use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::series::{Arc, SeriesCommand};

use super::SeriesStanding;
use crate::engine::again::again;
use crate::engine::definitions::Wanted;
use crate::engine::{Act, Engine, Fault};

impl Engine {
    /// Has the series be called, described and placed like that. What is so already is no event.
    pub async fn revise_series(&self, act: &Act, id: &str, wanted: &Wanted, arc: &Arc) -> Result<SeriesStanding, Fault> {
        again(self, || self.try_revise_series(act, id, wanted, arc)).await
    }

    async fn try_revise_series(&self, act: &Act, id: &str, wanted: &Wanted, arc: &Arc) -> Result<SeriesStanding, Fault> {
        let mut series = self.wanted_series(id, wanted).await?;
        let events = series.state.decide(SeriesCommand::Revise { arc: arc.clone() }).map_err(Fault::refused)?;
        let mut append = act.append(&self.recorded_by());
        append.writes = vec![series.write(&events)?];
        let appended = self.log.append(append).await?;
        let revision = series.sequence + events.len() as u64;
        for event in events {
            series.state.apply(event);
        }
        let definitions = self.log.count_drafts_in_series(id).await?;
        Ok(SeriesStanding { id: id.to_owned(), series: series.state, revision, definitions, position: appended.last })
    }
}
