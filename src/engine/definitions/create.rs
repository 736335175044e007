use leasehold_aggregates::account::Role;
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::{Definition, DefinitionCommand, Draft};
use leasehold_aggregates::reservation::{ReservationCommand, Slug, slug_id};
use serde_json::Value;

use super::Saved;
use crate::engine::again::again;
use crate::engine::runs::planning::declared;
use crate::engine::streams::{Loaded, load};
use crate::engine::{Act, Engine, Fault, mint};
use crate::log::{Appended, RowWrite};

impl Engine {
    /// Makes a definition of a posted body: its slug reserved, its draft at revision 1. Nothing is published by it.
    pub async fn create_definition(&self, act: &Act, role: Role, body: &Value) -> Result<Saved, Fault> {
        let draft = Draft::read(body, &declared(&self.registry), role, None)?;
        let id = mint::made_by(act.command_id, "definition").to_string();
        let create = || again(self, || self.try_create(act, &id, &draft));
        self.once(act, create, |done| self.created(&id, done)).await
    }

    /// What a command has made that was carried out before.
    pub(super) async fn created(&self, id: &str, done: Appended) -> Result<Saved, Fault> {
        let revision = self.definition(id).await?.draft.revision;
        Ok(Saved { id: id.to_owned(), revision, position: done.last })
    }

    async fn try_create(&self, act: &Act, id: &str, draft: &Draft) -> Result<Saved, Fault> {
        let slug: Loaded<Slug> = load(&self.log, &slug_id("definition", &draft.slug)).await?;
        let taken = slug.state.decide(ReservationCommand::Take { by: id.to_owned() }).map_err(Fault::refused)?;
        let definition: Loaded<Definition> = load(&self.log, id).await?;
        let create = DefinitionCommand::Create { slug: draft.slug.clone() };
        let created = definition.state.decide(create).map_err(Fault::refused)?;

        let mut append = act.append(&self.recorded_by());
        append.writes = vec![definition.write(&created)?, slug.write(&taken)?];
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
