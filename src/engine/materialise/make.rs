//! One occurrence: made, re-pinned, or not.

use leasehold_aggregates::definition::{Definition, DefinitionRefusal, WithheldCause};
use leasehold_aggregates::run::{RunCommand, RunStatus, Scheduled};
use leasehold_aggregates::schedule::Occurrence;
use serde_json::Map;

use super::{Current, OfSlot, run_of};
use crate::engine::fault::told;
use crate::engine::runs::controls::MAIN;
use crate::engine::runs::planning::plan_run;
use crate::engine::runs::{Extras, Reading};
use crate::engine::streams::Loaded;
use crate::engine::{Act, Engine, Fault};

impl Engine {
    /// Makes the run of an occurrence that has none, re-pins one that has not begun; or says why it comes to none. A run
    /// that is on the calendar stays there when nobody has verified its new version yet: its start will look.
    pub(super) async fn make(&self, current: &Current<'_>, occurrence: &Occurrence) -> Result<Option<WithheldCause>, Fault> {
        let OfSlot { generation, run, .. } = self.newest_of(&current.definition.id, occurrence.local).await?;
        let run_id = run.id.clone();
        let known = (run.state.scheduled.as_ref()).filter(|_| !run.state.may_be_reopened());
        let as_it_is = |known: &Scheduled| {
            let pinned = (known.definition_version, known.scheduled_for, known.moved_from);
            pinned == (current.version, occurrence.at, occurrence.moved_from)
        };
        if known.is_some_and(|known| as_it_is(known) || run.state.status != RunStatus::Scheduled) {
            return Ok(None);
        }
        if known.is_none() && !current.definition.state.is_verified(current.version) {
            return Ok(Some(WithheldCause::NeverVerified));
        }
        let scheduled = match self.scheduled(current, occurrence, generation) {
            Ok(scheduled) => scheduled,
            Err(fault) => {
                tracing::error!(definition = current.definition.id, slot = %occurrence.local, error = %told(&fault), "an occurrence cannot be planned");
                return Ok(Some(WithheldCause::Dormant));
            }
        };
        let act = Act::following("scheduler", current.now, &format!("{} {run_id}", current.cause));
        let extras = Extras { requires: vec![current.definition.required()], ..Extras::default() };
        let command = |_: &Reading| {
            let (at, run) = (current.now, Box::new(scheduled.clone()));
            if known.is_some() { RunCommand::Repin { at, run } } else { RunCommand::Schedule { at, run } }
        };
        match self.commit_run(&act, &run_id, &extras, command).await {
            Err(Fault::Refused(_)) | Ok(_) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// The run of an occurrence that somebody had cancelled and that comes back, by the current version.
    pub(crate) fn planned_again(
        &self,
        definition: &Loaded<Definition>,
        version: u64,
        act: &Act,
        occurrence: &Occurrence,
        generation: u32,
    ) -> Result<Scheduled, Fault> {
        let Some((_, content)) = definition.state.current() else {
            return Err(Fault::refused(DefinitionRefusal::NeverPublished));
        };
        self.scheduled(&Current { definition, version, content, now: act.at, cause: "" }, occurrence, generation)
    }

    /// What the run of an occurrence carries with it, by the current version.
    fn scheduled(&self, current: &Current<'_>, occurrence: &Occurrence, generation: u32) -> Result<Scheduled, Fault> {
        let planned = plan_run(&self.registry(), current.content, &Map::new(), self.settings.stall_seconds)?;
        Ok(Scheduled {
            run_id: run_of(&current.definition.id, occurrence.local, generation),
            definition_id: current.definition.id.clone(),
            definition_version: current.version,
            title: current.content.title.clone(),
            scope: MAIN.into(),
            slot: Some(occurrence.local.to_string()),
            generation,
            scheduled_for: occurrence.at,
            moved_from: occurrence.moved_from,
            timezone: current.content.timezone.clone(),
            dst_adjusted: occurrence.dst_adjusted,
            grace_seconds: u64::from(current.content.grace_seconds),
            concurrency_key: planned.concurrency_key,
            rehearsal: false,
            hops: 0,
            params: planned.params,
            plan: planned.plan,
        })
    }
}
