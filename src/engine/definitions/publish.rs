use leasehold_aggregates::account::Role;
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::{DefinitionCommand, DefinitionEvent};

use super::{Saved, Wanted};
use crate::engine::again::again;
use crate::engine::runs::planning::declared;
use crate::engine::{Act, Engine, Fault};
use crate::log::Appended;

/// What publishing came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    pub saved: Saved,
    /// The current version.
    pub version: u64,
    /// False where the draft holds nothing that the current version does not.
    pub new: bool,
}

impl Engine {
    /// Makes the draft, judged against the registry as it stands, the next version.
    pub async fn publish(&self, act: &Act, role: Role, id: &str, wanted: &Wanted) -> Result<Published, Fault> {
        let publish = || again(self, || self.try_publish(act, role, id, wanted));
        self.once(act, publish, |done| self.published(id, done)).await
    }

    /// What a command has published that was carried out before.
    async fn published(&self, id: &str, done: Appended) -> Result<Published, Fault> {
        let versions = self.versions(id).await?;
        let newest = versions.first().map_or(0, |version| version.version);
        let made = versions.iter().find(|version| (done.first..=done.last).contains(&version.published.position));
        let revision = self.definition(id).await?.draft.revision;
        let saved = Saved { id: id.to_owned(), revision, position: done.last };
        Ok(Published { saved, version: made.map_or(newest, |made| made.version), new: made.is_some() })
    }

    async fn try_publish(&self, act: &Act, role: Role, id: &str, wanted: &Wanted) -> Result<Published, Fault> {
        let standing = self.definition(id).await?;
        wanted.accept(standing.draft.revision).map_err(Fault::refused)?;
        let content = standing.content()?.publishable(&declared(&self.registry), role)?;
        let definition = &standing.definition;
        let publish = DefinitionCommand::Publish { content: Box::new(content) };
        let events = definition.state.decide(publish).map_err(Fault::refused)?;
        let published = events.iter().find_map(|event| match event {
            DefinitionEvent::DefinitionPublished { version, .. } => Some(*version),
            _ => None,
        });

        let mut append = act.append(&self.recorded_by());
        append.writes = vec![definition.write(&events)?];
        let appended = self.log.append(append).await?;
        let current = definition.state.current().map_or(0, |(version, _)| version);
        let saved = Saved { id: id.to_owned(), revision: standing.draft.revision, position: appended.last };
        Ok(Published { saved, version: published.unwrap_or(current), new: published.is_some() })
    }
}
