//! One occurrence skipped, moved or brought back: the decision on the definition's stream and what it means for the run, in
//! one append.

use leasehold_aggregates::decide::{Decide, Refusal, RefusalKind};
use leasehold_aggregates::definition::{Alter, Definition, DefinitionCommand, DefinitionRefusal, Whereabouts};
use leasehold_aggregates::run::{Run, RunCommand, RunStatus, Scheduled, WithdrawnCause};
use leasehold_aggregates::schedule::{LocalDateTime, Occurrence};

use crate::engine::fault::{moved, told};
use crate::engine::folds::Look;
use crate::engine::materialise::{Occasion, OfSlot, run_of, zone_of};
use crate::engine::runs::controls::MAIN;
use crate::engine::runs::{Extras, Reading, Tried};
use crate::engine::streams::{Loaded, load};
use crate::engine::{Act, Engine, Fault};
use crate::log::AppendError;

/// How often a change is decided again when somebody else was faster.
const TRIES: u32 = 20;

/// An occurrence as it stands after a change.
#[derive(Debug, Clone, PartialEq)]
pub struct AlteredOccurrence {
    pub slot: LocalDateTime,
    /// When it happens; none where it is skipped.
    pub stands: Option<Occurrence>,
    pub run_id: String,
    /// The log's position that shows it.
    pub position: u64,
}

/// Why an occurrence cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OccurrenceRefusal {
    #[error("the occurrence at {slot} has a run ({run_id}), and that is {status}: it cannot be {verb} any more")]
    HasRun { slot: LocalDateTime, run_id: String, status: RunStatus, verb: &'static str },
    #[error("zone data {release} has no time zone {zone:?}: when it happens cannot be told")]
    UnknownZone { zone: String, release: String },
    #[error("its run was cancelled, and is planned anew by an engine: bring the occurrence back through the API or on the page")]
    PlannedByAnEngine,
}

impl Refusal for OccurrenceRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::HasRun { .. } => "run_state",
            Self::UnknownZone { .. } => "unknown_zone",
            Self::PlannedByAnEngine => "planned_by_an_engine",
        }
    }

    fn kind(&self) -> RefusalKind {
        RefusalKind::Conflict
    }
}

impl Engine {
    /// Changes one occurrence of the current version's schedule, whether it has a run yet or not. What is so already is no
    /// change.
    pub async fn alter_occurrence(
        &self,
        act: &Act,
        definition_id: &str,
        slot: LocalDateTime,
        alter: Alter,
        reason: &str,
    ) -> Result<AlteredOccurrence, Fault> {
        let change = async || {
            let altered = self.change_occurrence(act, definition_id, slot, alter, reason).await?;
            let cause = format!("alter {}", act.command_id);
            // It is on record: what is left undone the scheduler does.
            if let Err(fault) = self.materialise(definition_id, Occasion { cause: &cause, since: None }).await {
                tracing::warn!(definition = definition_id, error = %told(&fault), "a changed occurrence is left to the scheduler");
            }
            let head = self.log.head().await?.map_or(0, |head| head.position);
            Ok(AlteredOccurrence { position: altered.position.max(head), ..altered })
        };
        self.once(act, change, |done| self.as_altered(definition_id, slot, done.last)).await
    }

    /// The same beside the engines, by a process that has none of their modules: what has to be made or planned is left to them.
    pub async fn alter_occurrence_beside(
        &self,
        act: &Act,
        definition: &str,
        slot: LocalDateTime,
        alter: Alter,
        reason: &str,
    ) -> Result<(String, AlteredOccurrence), Fault> {
        let id = self.definition_called(definition).await?.id;
        let run = self.newest_of(&id, slot).await?.run;
        if alter == Alter::Restore && run.state.status == RunStatus::Cancelled && run.state.withdrawn.is_none() {
            return Err(Fault::refused(OccurrenceRefusal::PlannedByAnEngine));
        }
        let altered = self.change_occurrence(act, &id, slot, alter, reason).await?;
        Ok((id, altered))
    }

    /// An occurrence as it stands, after a change that was made before.
    async fn as_altered(&self, definition_id: &str, slot: LocalDateTime, position: u64) -> Result<AlteredOccurrence, Fault> {
        let definition: Loaded<Definition> = load(&self.log, definition_id).await?;
        let zone = definition.state.current().and_then(|(_, content)| zone_of(self, content).ok());
        let stands = zone.and_then(|zone| definition.state.altered().place(slot, &zone));
        let run_id = self.newest_of(definition_id, slot).await?.run.id;
        Ok(AlteredOccurrence { slot, stands, run_id, position })
    }

    async fn change_occurrence(
        &self,
        act: &Act,
        definition_id: &str,
        slot: LocalDateTime,
        alter: Alter,
        reason: &str,
    ) -> Result<AlteredOccurrence, Fault> {
        for _ in 0..TRIES {
            match self.try_alter(act, definition_id, slot, alter, reason).await {
                Ok(Some(altered)) => return Ok(altered),
                Ok(None) => {}
                Err(Fault::Append(error)) if moved(&error) => {}
                Err(fault) => return Err(fault),
            }
        }
        Err(Fault::Busy)
    }

    /// None where somebody was faster.
    async fn try_alter(
        &self,
        act: &Act,
        definition_id: &str,
        slot: LocalDateTime,
        alter: Alter,
        reason: &str,
    ) -> Result<Option<AlteredOccurrence>, Fault> {
        let definition: Loaded<Definition> = load(&self.log, definition_id).await?;
        let (version, content) = match definition.state.current() {
            Some(current) => current,
            None if definition.state.exists() => return Err(Fault::refused(DefinitionRefusal::NeverPublished)),
            None => return Err(Fault::refused(DefinitionRefusal::Missing)),
        };
        let unknown_zone = |zone: &str| {
            let release = self.zones().release().to_owned();
            Fault::refused(OccurrenceRefusal::UnknownZone { zone: zone.to_owned(), release })
        };
        let zone = zone_of(self, content).map_err(unknown_zone)?;
        let (generation, run_id, before) = self.to_alter(definition_id, slot, alter).await?;
        let mut reading = Reading::of(self, &run_id, act.at, &[], Look::Fresh).await?;
        let run = reading.run.clone();
        refuse_begun(&run, slot, alter)?;
        let (note, row) = act.note(reason);
        let again = before.is_some() && run.state.scheduled.is_none();
        let cancelled = again || was_cancelled(&run.state);
        let whereabouts = Whereabouts { now: act.at, zone: zone.clone(), cancelled };
        let decided = DefinitionCommand::Alter { scope: MAIN.to_owned(), slot, alter, whereabouts, note: Some(note) };
        let events = definition.state.decide(decided).map_err(Fault::refused)?;
        let mut changed = definition.clone();
        for event in &events {
            changed.state.apply(event.clone());
        }
        let stands = changed.state.altered().place(slot, &zone);
        if events.is_empty() {
            return Ok(Some(AlteredOccurrence { slot, stands, run_id, position: 0 }));
        }
        let beside = vec![definition.write(&events)?];
        let command = match (&stands, again) {
            (Some(stands), true) => Some(RunCommand::Schedule {
                at: act.at,
                run: Box::new(self.planned_again(&changed, version, act, stands, generation)?),
            }),
            _ => self.of_run(act, &changed, version, &run, stands.as_ref(), alter)?,
        };
        let of_run = command.map(|command| run.state.decide(command)).transpose().map_err(Fault::refused)?.unwrap_or_default();
        let altered = |position| Some(AlteredOccurrence { slot, stands: stands.clone(), run_id: run_id.clone(), position });
        let requires: Vec<_> = before.iter().map(Loaded::required).collect();
        if of_run.is_empty() {
            let mut append = act.append(&self.recorded_by());
            (append.writes, append.requires, append.rows) = (beside, requires, vec![row]);
            append.requires.push(run.required());
            return match self.log.append(append).await {
                Ok(appended) | Err(AppendError::AlreadyDone(appended)) => Ok(altered(appended.last)),
                Err(error) => Err(error.into()),
            };
        }
        let extras = Extras { beside, requires, rows: vec![row], ..Extras::default() };
        match self.try_commit(act, &mut reading, of_run, &extras).await? {
            Tried::Committed(committed) => Ok(altered(committed.position)),
            Tried::Overtaken(_) => Ok(None),
        }
    }

    /// The run that the change is about, with its generation and the run before it. Where the newest began and was cancelled,
    /// bringing the occurrence back is about the one after it, which does not exist yet.
    async fn to_alter(
        &self,
        definition_id: &str,
        slot: LocalDateTime,
        alter: Alter,
    ) -> Result<(u32, String, Option<Loaded<Run>>), Fault> {
        let OfSlot { generation, run, before } = self.newest_of(definition_id, slot).await?;
        if alter == Alter::Restore && run.state.was_cancelled_under_way() {
            let next = generation + 1;
            return Ok((next, run_of(definition_id, slot, next), Some(run)));
        }
        Ok((generation, run.id, before))
    }

    /// What the change means for the run that the occurrence has, if it has one on the calendar or is to have it back.
    fn of_run(
        &self,
        act: &Act,
        definition: &Loaded<Definition>,
        version: u64,
        run: &Loaded<Run>,
        stands: Option<&Occurrence>,
        alter: Alter,
    ) -> Result<Option<RunCommand>, Fault> {
        let (at, Some(scheduled)) = (act.at, &run.state.scheduled) else { return Ok(None) };
        let waits = run.state.status == RunStatus::Scheduled;
        Ok(match (alter, stands) {
            (Alter::Skip, _) if waits => Some(RunCommand::Withdraw { at, cause: WithdrawnCause::Skipped }),
            (Alter::Move { .. } | Alter::Restore, Some(stands)) if waits => {
                let (scheduled_for, moved_from, dst_adjusted) = (stands.at, stands.moved_from, stands.dst_adjusted);
                let run = Box::new(Scheduled { scheduled_for, moved_from, dst_adjusted, ..Scheduled::clone(scheduled) });
                Some(RunCommand::Repin { at, run })
            }
            (Alter::Restore, Some(stands)) if was_cancelled(&run.state) => {
                let run = Box::new(self.planned_again(definition, version, act, stands, scheduled.generation)?);
                Some(RunCommand::Reopen { at, run })
            }
            _ => None,
        })
    }
}

/// Whether a person has cancelled it before it began.
fn was_cancelled(run: &Run) -> bool {
    run.status == RunStatus::Cancelled && run.withdrawn.is_none() && run.started_at.is_none()
}

/// What has begun, was missed, or was cancelled where it is not to be brought back, stays as it is.
fn refuse_begun(run: &Loaded<Run>, slot: LocalDateTime, alter: Alter) -> Result<(), Fault> {
    let open = run.state.scheduled.is_none()
        || run.state.status == RunStatus::Scheduled
        || run.state.may_be_reopened()
        || was_cancelled(&run.state) && alter == Alter::Restore;
    if open {
        return Ok(());
    }
    let verb = match alter {
        Alter::Skip => "skipped",
        Alter::Move { .. } => "moved",
        Alter::Restore => "brought back",
    };
    let (run_id, status) = (run.id.clone(), run.state.status);
    Err(Fault::refused(OccurrenceRefusal::HasRun { slot, run_id, status, verb }))
}
