use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::{DefinitionCommand, DefinitionState};
use serde_json::{Map, Value};

use super::{DraftRefusal, Saved, Wanted};
use crate::engine::again::again;
use crate::engine::runs::DryRun;
use crate::engine::runs::controls::MAIN;
use crate::engine::{Act, Engine, Fault};

/// What a dry run came to, and of what.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Its position is the log's where nothing was recorded.
    pub saved: Saved,
    /// The version that was tried; none where it was the draft of what was never published.
    pub version: Option<u64>,
    /// Whether starts by schedule are unlocked for that version, by this pass or an earlier one.
    pub verified: bool,
    pub dry_run: DryRun,
}

impl Engine {
    /// Tries the published version, or the draft of what was never published, without changing anything anywhere. Only a
    /// pass of a version is recorded: a version never changes, so the pass stays true.
    pub async fn verify(
        &self,
        act: &Act,
        id: &str,
        wanted: &Wanted,
        scope: Option<&str>,
        params: &Map<String, Value>,
    ) -> Result<Verdict, Fault> {
        let standing = self.definition(id).await?;
        wanted.accept(standing.draft.revision).map_err(Fault::refused)?;
        if standing.definition.state.state() == DefinitionState::Archived {
            return Err(Fault::refused(DraftRefusal::Archived));
        }
        let (version, content) = match standing.definition.state.current() {
            Some((version, content)) => (Some(version), content.clone()),
            None => (None, standing.content()?.content),
        };
        let dry_run = self.dry_run(&content, scope, params).await?;
        let mut saved = Saved { id: id.to_owned(), revision: standing.draft.revision, position: 0 };
        // A start by schedule runs with the defaults in `main`: a pass with anything else says nothing about it.
        let as_scheduled = params.is_empty() && scope.is_none_or(|scope| scope == MAIN);
        let passed = version.filter(|_| dry_run.ok && as_scheduled);
        saved.position = match passed {
            Some(version) => {
                let record = || again(self, || self.record_pass(act, id, version));
                self.once(act, record, async |done| Ok(done.last)).await?
            }
            None => self.log.head().await?.map_or(0, |head| head.position),
        };
        let before = version.is_some_and(|version| standing.definition.state.is_verified(version));
        Ok(Verdict { saved, version, verified: before || passed.is_some(), dry_run })
    }

    async fn record_pass(&self, act: &Act, id: &str, version: u64) -> Result<u64, Fault> {
        let definition = self.definition(id).await?.definition;
        let events = definition.state.decide(DefinitionCommand::Verify { version }).map_err(Fault::refused)?;
        let mut append = act.append(&self.recorded_by());
        append.writes = vec![definition.write(&events)?];
        Ok(self.log.append(append).await?.last)
    }
}
