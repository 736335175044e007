use leasehold_aggregates::account::Role;
use leasehold_aggregates::definition::{DefinitionState, Draft};
use serde_json::Value;

use super::{DraftRefusal, Saved, Wanted};
use crate::engine::again::again;
use crate::engine::streams::Loaded;
use crate::engine::{Act, Engine, Fault};
use crate::log::RowWrite;

impl Engine {
    /// Replaces the draft by a posted body, as its next revision. What is published stays as it is.
    pub async fn save_draft(&self, act: &Act, role: Role, id: &str, wanted: &Wanted, body: &Value) -> Result<Saved, Fault> {
        again(self, || self.try_save(act, role, id, wanted, body)).await
    }

    async fn try_save(&self, act: &Act, role: Role, id: &str, wanted: &Wanted, body: &Value) -> Result<Saved, Fault> {
        let standing = self.definition(id).await?;
        let revision = standing.draft.revision;
        wanted.accept(revision).map_err(Fault::refused)?;
        if standing.definition.state.state() == DefinitionState::Archived {
            return Err(Fault::refused(DraftRefusal::Archived));
        }
        let previous = standing.content()?;
        let (facts, series) = self.facts_for(body).await?;
        let draft = Draft::read(body, &facts, role, Some(&previous))?;

        let mut append = act.append(&self.recorded_by());
        append.requires = vec![standing.definition.required()];
        append.requires.extend(series.iter().map(Loaded::required));
        append.rows = vec![RowWrite::Draft {
            definition_id: id.to_owned(),
            expected_revision: revision,
            body: draft.to_body(),
            by: act.actor.clone(),
            at: act.at,
        }];
        let appended = self.log.append(append).await?;
        Ok(Saved { id: id.to_owned(), revision: revision + 1, position: appended.last })
    }
}
