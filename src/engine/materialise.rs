//! From a published schedule to runs on the calendar: each slot of the horizon once, whoever works it out and however
//! often.

use chrono::{DateTime, TimeDelta, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::{Content, Definition, DefinitionCommand, DefinitionState, WithheldCause};
use leasehold_aggregates::run::{DueKind, Run, RunCommand, RunStatus, Scheduled, WithdrawnCause};
use leasehold_aggregates::schedule::{Occurrence, Schedule, expand, occurrence_id, place};
use leasehold_aggregates::zones::{Zone, Zones};
use serde_json::{Map, json};

use super::fault::{moved, told};
use super::runs::controls::MAIN;
use super::runs::planning::plan_run;
use super::runs::{Extras, Reading};
use super::streams::{Loaded, load};
use super::{Act, Engine, Fault};
use crate::log::{AppendError, Staged};

/// The kind of a staged look at a definition whose next occurrence is beyond the horizon.
pub const MATERIALISE: &str = "materialise";

/// The generation of a slot that has never been cancelled and opened again.
const FIRST: u32 = 0;

struct Current<'a> {
    definition: &'a Loaded<Definition>,
    version: u64,
    content: &'a Content,
    now: DateTime<Utc>,
    cause: &'a str,
}

impl Engine {
    /// Makes, re-pins and withdraws the runs of one definition. Nothing is invented in the past: an occurrence that the
    /// grace no longer reaches is left alone. `cause` names the commands, so that the same cause is the same command.
    pub(crate) async fn materialise(&self, definition_id: &str, cause: &str) -> Result<(), Fault> {
        let definition: Loaded<Definition> = load(&self.log, definition_id).await?;
        let now = self.clock.now().await?;
        let ready = definition.state.state() == DefinitionState::Ready;
        let Some((version, content)) = definition.state.current().filter(|_| ready) else {
            return self.withdraw_all_but(definition_id, &[], WithdrawnCause::Archived, now, cause).await;
        };
        let Ok(zone) = Zones.find(&content.timezone) else {
            tracing::error!(
                definition = definition_id,
                zone = content.timezone,
                "the zone is not known any more; nothing is made"
            );
            return Ok(());
        };
        let occurrences = self.in_horizon(content, zone, now);
        let ids: Vec<String> = occurrences.iter().map(|occurrence| id_of(definition_id, occurrence)).collect();
        self.withdraw_all_but(definition_id, &ids, WithdrawnCause::Rescheduled, now, cause).await?;
        let current = Current { definition: &definition, version, content, now, cause };
        for occurrence in &occurrences {
            self.make(&current, occurrence).await?;
        }
        self.look_again(&current, zone).await
    }

    /// Takes back every run of the definition that has not begun and is none of `kept`. A run that waits for its instant
    /// has the end of its grace staged, and that names the definition.
    async fn withdraw_all_but(
        &self,
        definition_id: &str,
        kept: &[String],
        why: WithdrawnCause,
        now: DateTime<Utc>,
        cause: &str,
    ) -> Result<(), Fault> {
        for item in self.log.staged_where(DueKind::GraceEnd.into(), "definition", definition_id).await? {
            let run_id = &item.stream.aggregate_id;
            if kept.contains(run_id) {
                continue;
            }
            let act = Act::following("scheduler", now, &format!("{cause} withdraw {run_id}"));
            match self.withdraw_run(&act, run_id, why).await {
                Err(Fault::Refused(_)) | Ok(_) => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(())
    }

    fn in_horizon(&self, content: &Content, zone: Zone, now: DateTime<Utc>) -> Vec<Occurrence> {
        let from = now - TimeDelta::seconds(i64::from(content.grace_seconds));
        expand(&content.plan.schedule, zone, from..self.horizon(now))
    }

    fn horizon(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + TimeDelta::days(i64::from(self.settings.horizon_days))
    }

    async fn make(&self, current: &Current<'_>, occurrence: &Occurrence) -> Result<(), Fault> {
        let run_id = id_of(&current.definition.id, occurrence);
        let run: Loaded<Run> = load(&self.log, &run_id).await?;
        let known = run.state.scheduled.as_ref().map(|scheduled| scheduled.definition_version);
        if known.is_some_and(|version| version == current.version) || known.is_some() && run.state.status != RunStatus::Scheduled
        {
            return Ok(());
        }
        if !current.definition.state.is_verified(current.version) && known.is_none() {
            return self.withhold(current, occurrence).await;
        }
        let scheduled = match self.scheduled(current, occurrence, &run_id) {
            Ok(scheduled) => scheduled,
            Err(fault) => {
                tracing::error!(definition = current.definition.id, slot = %occurrence.local, error = %told(&fault), "an occurrence cannot be planned");
                return Ok(());
            }
        };
        let act = Act::following("scheduler", current.now, &format!("{} {run_id}", current.cause));
        let extras = Extras { requires: vec![current.definition.required()], ..Extras::default() };
        let command = |_: &Reading| {
            let (at, run) = (current.now, Box::new(scheduled.clone()));
            if known.is_some() { RunCommand::Repin { at, run } } else { RunCommand::Schedule { at, run } }
        };
        match self.commit_run(&act, &run_id, &extras, command).await {
            Err(Fault::Refused(_)) | Ok(_) => Ok(()),
            Err(fault) => Err(fault),
        }
    }

    fn scheduled(&self, current: &Current<'_>, occurrence: &Occurrence, run_id: &str) -> Result<Scheduled, Fault> {
        let planned = plan_run(&self.registry, current.content, &Map::new())?;
        Ok(Scheduled {
            run_id: run_id.to_owned(),
            definition_id: current.definition.id.clone(),
            definition_version: current.version,
            title: current.content.title.clone(),
            scope: MAIN.into(),
            slot: Some(occurrence.local.to_string()),
            generation: FIRST,
            scheduled_for: occurrence.at,
            timezone: current.content.timezone.clone(),
            dst_adjusted: occurrence.dst_adjusted,
            grace_seconds: u64::from(current.content.grace_seconds),
            concurrency_key: planned.concurrency_key,
            rehearsal: false,
            params: planned.params,
            plan: planned.plan,
        })
    }

    /// Records, once, that the slot is not made because nobody has verified the version. Not final: verifying it makes
    /// the slot if it is still ahead.
    async fn withhold(&self, current: &Current<'_>, occurrence: &Occurrence) -> Result<(), Fault> {
        let act = Act::following("scheduler", current.now, &format!("{} withhold {}", current.cause, occurrence.local));
        loop {
            let definition: Loaded<Definition> = load(&self.log, &current.definition.id).await?;
            let (scope, slot, cause) = (MAIN.to_owned(), occurrence.local, WithheldCause::NeverVerified);
            let events = match definition.state.decide(DefinitionCommand::Withhold { scope, slot, cause }) {
                Ok(events) if !events.is_empty() => events,
                _ => return Ok(()),
            };
            let mut append = act.append(&self.recorded_by());
            append.writes.push(definition.write(&events)?);
            match self.log.append(append).await {
                Ok(_) | Err(AppendError::AlreadyDone(_)) => return Ok(()),
                Err(error) if moved(&error) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Stages another look for the day on which a single far occurrence comes into the horizon.
    async fn look_again(&self, current: &Current<'_>, zone: Zone) -> Result<(), Fault> {
        let Schedule::Once { at } = &current.content.plan.schedule else { return Ok(()) };
        let occurrence = place(*at, zone);
        if occurrence.at < self.horizon(current.now) {
            return Ok(());
        }
        let stream = current.definition.stream();
        let item = Staged {
            id: Staged::id_for(&stream, current.definition.sequence, MATERIALISE),
            stream,
            kind: MATERIALISE.into(),
            due_at: occurrence.at - TimeDelta::days(i64::from(self.settings.horizon_days)),
            payload: json!({ "slot": occurrence.local }),
        };
        let act = Act::following("scheduler", current.now, &format!("{} look again", current.cause));
        let mut append = act.append(&self.recorded_by());
        append.stage.push(item);
        match self.log.append(append).await {
            Ok(_) | Err(AppendError::AlreadyDone(_) | AppendError::RowConflict { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

fn id_of(definition_id: &str, occurrence: &Occurrence) -> String {
    occurrence_id(definition_id, MAIN, occurrence.local, FIRST).to_string()
}
