use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::series::SeriesCommand;
use serde_json::Value;

use super::Deleted;
use crate::engine::again::again;
use crate::engine::definitions::Wanted;
use crate::engine::{Act, Engine, Fault};
use crate::log::{Draft, RowWrite};

impl Engine {
    /// Deletes the series. Its definitions stay, and belong to none: each of their drafts is at its next revision.
    pub async fn delete_series(&self, act: &Act, id: &str, wanted: &Wanted) -> Result<Deleted, Fault> {
        again(self, || self.try_delete_series(act, id, wanted)).await
    }

    async fn try_delete_series(&self, act: &Act, id: &str, wanted: &Wanted) -> Result<Deleted, Fault> {
        let series = self.wanted_series(id, wanted).await?;
        let drafts = self.log.drafts_in_series(id).await?;
        let detached = drafts.len() as u64;
        let events = series.state.decide(SeriesCommand::Delete { detached }).map_err(Fault::refused)?;
        let mut append = act.append(&self.recorded_by());
        append.writes = vec![series.write(&events)?];
        // Whoever has attached a definition meanwhile is seen by the last of the rows, and whoever comes later by the series'
        // own stream, which their append requires.
        append.rows = drafts.into_iter().map(|draft| detached_draft(draft, act)).collect();
        append.rows.push(RowWrite::SeriesIsEmpty { series_id: id.to_owned() });
        Ok(Deleted { detached, position: self.log.append(append).await?.last })
    }
}

fn detached_draft(draft: Draft, act: &Act) -> RowWrite {
    let Draft { definition_id, revision, mut body, .. } = draft;
    body["seriesId"] = Value::Null;
    body["seriesOrder"] = Value::Null;
    RowWrite::Draft { definition_id, expected_revision: revision, body, by: act.actor.clone(), at: act.at }
}
