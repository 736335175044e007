use leasehold_aggregates::account::Role;
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::{Definition, DefinitionCommand, Draft};
use leasehold_aggregates::reservation::{ReservationCommand, Slug, slug_id};
use serde_json::Value;

use super::Saved;
use crate::engine::again::again;
use crate::engine::streams::{Loaded, load};
use crate::engine::{Act, Engine, Fault, mint};
use crate::log::{Appended, RowWrite};

/// What a new definition is made of.
pub(super) struct Origin<'a> {
    pub role: Role,
    pub body: &'a Value,
    /// What it is a copy of, under the new slug: what that holds may stay although its module is gone.
    pub original: Option<&'a Draft>,
}

impl Engine {
    /// Makes a definition of a posted body: its slug reserved, its draft at revision 1. Nothing is published by it.
    pub async fn create_definition(&self, act: &Act, role: Role, body: &Value) -> Result<Saved, Fault> {
        self.create_from(act, &Origin { role, body, original: None }).await
    }

    pub(super) async fn create_from(&self, act: &Act, origin: &Origin<'_>) -> Result<Saved, Fault> {
        let id = mint::made_by(act.command_id, "definition").to_string();
        let create = || again(self, || self.try_create(act, &id, origin));
        self.once(act, create, |done| self.created(&id, done)).await
    }

    /// What a command has made that was carried out before.
    async fn created(&self, id: &str, done: Appended) -> Result<Saved, Fault> {
        let revision = self.definition(id).await?.draft.revision;
        Ok(Saved { id: id.to_owned(), revision, position: done.last })
    }

    async fn try_create(&self, act: &Act, id: &str, origin: &Origin<'_>) -> Result<Saved, Fault> {
        let (facts, series) = self.facts_for(origin.body).await?;
        let draft = Draft::read(origin.body, &facts, origin.role, origin.original)?;
        let slug: Loaded<Slug> = load(&self.log, &slug_id("definition", &draft.slug)).await?;
        let taken = slug.state.decide(ReservationCommand::Take { by: id.to_owned() }).map_err(Fault::refused)?;
        let definition: Loaded<Definition> = load(&self.log, id).await?;
        let create = DefinitionCommand::Create { slug: draft.slug.clone() };
        let created = definition.state.decide(create).map_err(Fault::refused)?;

        let mut append = act.append(&self.recorded_by());
        append.writes = vec![definition.write(&created)?, slug.write(&taken)?];
        append.requires = series.iter().map(Loaded::required).collect();
        append.rows = vec![RowWrite::Draft {
            definition_id: id.to_owned(),
            expected_revision: 0,
            body: draft.to_body(),
            by: act.actor.clone(),
            at: act.at,
        }];
        let appended = self.log.append(append).await?;
        Ok(Saved { id: id.to_owned(), revision: 1, position: appended.last })
    }
}
