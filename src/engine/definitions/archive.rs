use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::DefinitionCommand;

use super::{Saved, Wanted};
use crate::engine::again::again;
use crate::engine::{Act, Engine, Fault};

impl Engine {
    /// Archives the definition: nothing of it starts any more, and all that it did stays readable. Twice is once.
    pub async fn archive(&self, act: &Act, id: &str, wanted: &Wanted) -> Result<Saved, Fault> {
        again(self, || self.try_archive(act, id, wanted)).await
    }

    async fn try_archive(&self, act: &Act, id: &str, wanted: &Wanted) -> Result<Saved, Fault> {
        let standing = self.definition(id).await?;
        wanted.accept(standing.draft.revision).map_err(Fault::refused)?;
        let events = standing.definition.state.decide(DefinitionCommand::Archive).map_err(Fault::refused)?;

        let mut append = act.append(&self.recorded_by());
        append.writes = vec![standing.definition.write(&events)?];
        let appended = self.log.append(append).await?;
        Ok(Saved { id: id.to_owned(), revision: standing.draft.revision, position: appended.last })
    }
}
