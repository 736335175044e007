//! From a published schedule to runs on the calendar: each slot of the horizon once, whoever works it out and however
//! often.

use chrono::{DateTime, TimeDelta, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::{Content, Definition, DefinitionCommand, DefinitionState, WithheldCause};
use leasehold_aggregates::run::{DueKind, Run, RunCommand, RunStatus, Scheduled, WithdrawnCause};
use leasehold_aggregates::schedule::{LocalDateTime, Occurrence, expand, occurrence_id, occurrences};
use leasehold_aggregates::zones::Zone;
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

/// How often a pass is begun anew when the definition moves under it.
const TRIES: u32 = 10;
/// When an occurrence is looked at again that could not be planned.
const RETRY: TimeDelta = TimeDelta::minutes(15);
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
        let now = self.clock.now().await?;
        self.materialise_at(definition_id, cause, now).await
    }

    /// Carries out a staged look.
    pub(crate) async fn look_at_definition(&self, item: &Staged) -> Result<(), Fault> {
        // It was due when it was looked up; a clock that has stepped back since does not undo that.
        let now = self.clock.now().await?.max(item.due_at);
        self.materialise_at(&item.stream.aggregate_id, &item.id.to_string(), now).await?;
        self.log.drop_staged(item.id).await?;
        Ok(())
    }

    async fn materialise_at(&self, definition_id: &str, cause: &str, now: DateTime<Utc>) -> Result<(), Fault> {
        for _ in 0..TRIES {
            match self.try_materialise(definition_id, cause, now).await {
                Err(Fault::Append(error)) if moved(&error) => {}
                done => return done,
            }
        }
        Err(Fault::Busy)
    }

    async fn try_materialise(&self, definition_id: &str, cause: &str, now: DateTime<Utc>) -> Result<(), Fault> {
        let definition: Loaded<Definition> = load(&self.log, definition_id).await?;
        let ready = definition.state.state() == DefinitionState::Ready;
        let Some((version, content)) = definition.state.current().filter(|_| ready) else {
            return self.withdraw_all_but(definition_id, &[], WithdrawnCause::Archived, now, cause).await;
        };
        let Ok(zone) = self.registry.zones().find(&content.timezone) else {
            tracing::error!(
                definition = definition_id,
                zone = content.timezone,
                "the zone is not known any more; nothing is made"
            );
            return Ok(());
        };
        let occurrences = self.in_horizon(content, &zone, now);
        let verified = definition.state.is_verified(version);
        let ids: Vec<String> = occurrences.iter().map(|occurrence| id_of(definition_id, occurrence)).collect();
        let kept = if verified { &ids[..] } else { &[] };
        self.withdraw_all_but(definition_id, kept, WithdrawnCause::Rescheduled, now, cause).await?;
        let current = Current { definition: &definition, version, content, now, cause };
        for occurrence in &occurrences {
            self.make(&current, occurrence).await?;
            for slot in &occurrence.merged {
                self.withhold(&current, *slot, WithheldCause::Merged).await?;
            }
        }
        self.look_again(&current, &zone).await
    }

    /// Takes back every run of the definition that has not begun and is none of `kept`. A run that waits for its instant
    /// has the end of its grace staged, and that names the definition; where that end has come, the run is missed, only
    /// nobody was there to say so.
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
            if kept.contains(run_id) || item.due_at <= now {
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

    fn in_horizon(&self, content: &Content, zone: &Zone, now: DateTime<Utc>) -> Vec<Occurrence> {
        let from = now - TimeDelta::seconds(i64::from(content.grace_seconds));
        // The window is half-open, and an occurrence on the horizon itself is inside.
        expand(&content.plan.schedule, zone, from..self.horizon(now) + TimeDelta::microseconds(1))
    }

    fn horizon(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + TimeDelta::days(i64::from(self.settings.horizon_days))
    }

    async fn make(&self, current: &Current<'_>, occurrence: &Occurrence) -> Result<(), Fault> {
        let run_id = id_of(&current.definition.id, occurrence);
        let run: Loaded<Run> = load(&self.log, &run_id).await?;
        let known = (run.state.scheduled.as_ref()).filter(|_| !run.state.may_be_reopened());
        let as_it_is = |known: &Scheduled| (known.definition_version, known.scheduled_for) == (current.version, occurrence.at);
        if known.is_some_and(|known| as_it_is(known) || run.state.status != RunStatus::Scheduled) {
            return Ok(());
        }
        if !current.definition.state.is_verified(current.version) {
            return self.withhold(current, occurrence.local, WithheldCause::NeverVerified).await;
        }
        let scheduled = match self.scheduled(current, occurrence, &run_id) {
            Ok(scheduled) => scheduled,
            Err(fault) => {
                tracing::error!(definition = current.definition.id, slot = %occurrence.local, error = %told(&fault), "an occurrence cannot be planned");
                self.withhold(current, occurrence.local, WithheldCause::Dormant).await?;
                return self.stage_look(current, current.now + RETRY).await;
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

    /// Records, once for each cause, that the slot is not made, and why. Not final: when the cause is gone the slot is made
    /// if it is still ahead.
    async fn withhold(&self, current: &Current<'_>, slot: LocalDateTime, cause: WithheldCause) -> Result<(), Fault> {
        let act = Act::following("scheduler", current.now, &format!("{} withhold {slot} {cause:?}", current.cause));
        loop {
            let definition: Loaded<Definition> = load(&self.log, &current.definition.id).await?;
            let scope = MAIN.to_owned();
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

    /// Stages another look for the instant at which the next occurrence comes into the horizon.
    async fn look_again(&self, current: &Current<'_>, zone: &Zone) -> Result<(), Fault> {
        let beyond = self.horizon(current.now) + TimeDelta::microseconds(1);
        let next = occurrences(&current.content.plan.schedule, zone, beyond).next();
        match next {
            Some(next) => self.stage_look(current, next.at - TimeDelta::days(i64::from(self.settings.horizon_days))).await,
            None => Ok(()),
        }
    }

    /// Stages another look at the definition, once for each instant.
    async fn stage_look(&self, current: &Current<'_>, due_at: DateTime<Utc>) -> Result<(), Fault> {
        let stream = current.definition.stream();
        let once = format!("{MATERIALISE} {}", due_at.timestamp_micros());
        let item = Staged {
            id: Staged::id_for(&stream, current.definition.sequence, &once),
            stream,
            kind: MATERIALISE.into(),
            due_at,
            payload: json!({}),
        };
        let act = Act::following("scheduler", current.now, &format!("{} {once}", current.cause));
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
