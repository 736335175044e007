use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use leasehold_aggregates::account::Role;
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::{DefinitionCommand, DefinitionEvent};
use leasehold_aggregates::run::{Run, WithdrawnCause};

use super::{Saved, Wanted};
use crate::engine::again::again;
use crate::engine::consumers::Scheduler;
use crate::engine::fault::told;
use crate::engine::materialise::Occasion;
use crate::engine::runs::planning::declared;
use crate::engine::streams::load;
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
    /// Runs that had not begun and go by the new version from here on.
    pub repinned: u64,
    /// Runs that had not begun and that the new version's schedule does not have.
    pub withdrawn: u64,
}

impl Engine {
    /// Makes the draft, judged against the registry as it stands, the next version, and takes the runs along that have not
    /// begun.
    pub async fn publish(&self, act: &Act, role: Role, id: &str, wanted: &Wanted) -> Result<Published, Fault> {
        let waiting: Vec<String> = self.waiting_runs(id).await?.into_iter().map(|run| run.id).collect();
        let publish = async || {
            let published = again(self, || self.try_publish(act, role, id, wanted)).await?;
            Ok(if published.new { self.take_along(act.at, &waiting, published).await } else { published })
        };
        self.once(act, publish, |done| self.published(act, id, done)).await
    }

    /// What a command has published that was carried out before.
    async fn published(&self, act: &Act, id: &str, done: Appended) -> Result<Published, Fault> {
        let versions = self.versions(id).await?;
        let newest = versions.first().map_or(0, |version| version.version);
        let made = versions.iter().find(|version| (done.first..=done.last).contains(&version.published.position));
        let revision = self.definition(id).await?.draft.revision;
        let saved = Saved { id: id.to_owned(), revision, position: done.last };
        let version = made.map_or(newest, |made| made.version);
        let published = Published { saved, version, new: made.is_some(), repinned: 0, withdrawn: 0 };
        if !published.new {
            return Ok(published);
        }
        // Those that were withdrawn keep what was staged for them until that is due.
        let graces = self.log.graces_of(id).await?;
        let touched: BTreeSet<String> = graces.into_iter().map(|item| item.stream.aggregate_id).collect();
        Ok(self.take_along(act.at, &touched.into_iter().collect::<Vec<_>>(), published).await)
    }

    /// Does at once what the scheduler would do, in the scheduler's name, and counts what it came to. The version is published
    /// whatever becomes of this: what is left undone the scheduler does.
    async fn take_along(&self, at: DateTime<Utc>, waiting: &[String], mut published: Published) -> Published {
        let cause = Scheduler::cause(published.saved.position);
        let occasion = Occasion { cause: &cause, since: Some(at) };
        if let Err(fault) = self.materialise(&published.saved.id, occasion).await {
            tracing::warn!(definition = published.saved.id, error = %told(&fault), "the runs of a new version are left to the scheduler");
        }
        for run_id in waiting {
            let Ok(run) = load::<Run>(&self.log, run_id).await else { continue };
            let by = run.state.scheduled.as_ref().map_or(0, |scheduled| scheduled.definition_version);
            match run.state.withdrawn {
                Some(WithdrawnCause::Rescheduled) if by < published.version => published.withdrawn += 1,
                None if by == published.version && run.state.version > 1 => published.repinned += 1,
                _ => {}
            }
        }
        if let Ok(Some(head)) = self.log.head().await {
            published.saved.position = published.saved.position.max(head.position);
        }
        published
    }

    async fn try_publish(&self, act: &Act, role: Role, id: &str, wanted: &Wanted) -> Result<Published, Fault> {
        let standing = self.definition(id).await?;
        wanted.accept(standing.draft.revision).map_err(Fault::refused)?;
        let content = standing.content()?.publishable(&declared(&self.registry()), role)?;
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
        Ok(Published { saved, version: published.unwrap_or(current), new: published.is_some(), repinned: 0, withdrawn: 0 })
    }
}
