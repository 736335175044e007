//! One command, one append: the run decides, every target it touches decides its own transition, the slot and the
//! staged items move along, and any refusal refuses the whole.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use leasehold_aggregates::authorise::Denied;
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::ledger::LedgerCommand;
use leasehold_aggregates::reservation::ReservationCommand;
use leasehold_aggregates::run::{Due, DueKind, Effects, Run, RunCommand, RunEvent, RunRefusal, SlotMove, effects};
use leasehold_aggregates::target::Target;
use serde_json::json;
use tracing::Instrument;
use uuid::Uuid;

use super::Reading;
use crate::engine::fault::moved;
use crate::engine::streams::{Loaded, event, fold, stream};
use crate::engine::{Act, Engine, Fault, mint};
use crate::log::{Append, AppendError, Appended, Listener, Recorded, RowWrite, Staged, StreamId, StreamWrite};

/// How often a decision is taken again when somebody else was faster.
pub(super) const TRIES: u32 = 50;
/// How often, and with what pause, a lost database is asked what became of a command.
const LOOKS: u32 = 150;
const PAUSE: Duration = Duration::from_millis(200);
/// The event that wakes runs which wait for a slot.
pub const SLOT_RELEASED: &str = "slot_released";

/// What comes along with a command.
#[derive(Debug, Clone, Default)]
pub struct Extras {
    /// The staged item that is being carried out.
    pub item: Option<Uuid>,
    pub rows: Vec<RowWrite>,
    /// Streams that the caller read for the decision.
    pub requires: Vec<(StreamId, u64)>,
    /// Targets that an answer has named.
    pub reported: Vec<Target>,
    /// Since when this was due, where it was.
    pub due: Option<DateTime<Utc>>,
}

/// What was committed.
#[derive(Debug, Clone)]
pub struct Committed {
    pub run_id: String,
    /// The run as it stands now.
    pub run: Run,
    pub events: Vec<RunEvent>,
    /// The sequence of the first of them.
    pub first_sequence: u64,
    /// The log's position up to which the commit reaches.
    pub position: u64,
    /// Since when what the commit begins is to be done.
    pub since: DateTime<Utc>,
}

impl Engine {
    /// Decides on the run as it is and appends; decides again when somebody was faster. An empty decision appends
    /// nothing but the end of the item that asked for it.
    pub(crate) async fn commit_run(
        &self,
        act: &Act,
        run_id: &str,
        extras: &Extras,
        command: impl Fn(&Reading) -> RunCommand + Send,
    ) -> Result<Committed, Fault> {
        for _ in 0..TRIES {
            let mut reading = Reading::of(self, run_id, &extras.reported).await?;
            let decide = || reading.run.state.decide(command(&reading));
            let events = tracing::debug_span!("decide", run = run_id).in_scope(decide).map_err(Fault::refused)?;
            if let Some(committed) = self.try_commit(act, &mut reading, events, extras).await? {
                self.carry_out(&committed);
                return Ok(committed);
            }
        }
        Err(Fault::Busy)
    }

    /// One try at one decision; `None` where it has to be taken again on what the log holds now. Where it is the caller's own
    /// requirement that has moved, that is the error: only the caller can read it anew.
    pub(super) async fn try_commit(
        &self,
        act: &Act,
        reading: &mut Reading,
        events: Vec<RunEvent>,
        extras: &Extras,
    ) -> Result<Option<Committed>, Fault> {
        let append = self.append_of(act, reading, &events, extras).await?;
        let mut run = reading.run.state.clone();
        for event in &events {
            run.apply(event.clone());
        }
        let (run_id, first_sequence) = (reading.run.id.clone(), reading.run.sequence + 1);
        let since = extras.due.unwrap_or(act.at);
        let span = tracing::debug_span!("append", run = run_id, events = events.len());
        match self.log.append(append).instrument(span).await {
            Ok(appended) => Ok(Some(Committed { run_id, run, events, first_sequence, position: appended.last, since })),
            Err(AppendError::AlreadyDone(appended)) => {
                let run = reading.run.state.clone();
                Ok(Some(Committed { run_id, run, events: Vec::new(), first_sequence, position: appended.last, since }))
            }
            Err(AppendError::Unstaged(_)) => Err(Fault::refused(RunRefusal::MovedOn)),
            Err(AppendError::Unknown { command_id, source }) => self.find_out(&run_id, command_id, since, source).await,
            Err(error) if moved(&error) && !is_of_caller(&error, extras) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The database was lost while it committed: asks until it answers whether it did, and takes up what it did.
    async fn find_out(
        &self,
        run_id: &str,
        command_id: Uuid,
        since: DateTime<Utc>,
        lost: Arc<sqlx::Error>,
    ) -> Result<Option<Committed>, Fault> {
        for _ in 0..LOOKS {
            match self.log.command(command_id).await {
                Ok(None) => return Ok(None),
                Ok(Some(appended)) => return self.as_recorded(run_id, appended, since).await.map(Some),
                Err(error) => tracing::warn!(%error, "whether a command was recorded is not known yet"),
            }
            tokio::time::sleep(PAUSE).await;
        }
        Err(AppendError::Unknown { command_id, source: lost }.into())
    }

    /// What a command has appended to this run, read back.
    async fn as_recorded(&self, run_id: &str, appended: Appended, since: DateTime<Utc>) -> Result<Committed, Fault> {
        let recorded = self.log.load(&stream::<Run>(run_id)).await?;
        let of_command = |event: &&Recorded| (appended.first..=appended.last).contains(&event.position);
        let first_sequence = recorded.iter().find(of_command).map_or(0, |event| event.sequence);
        let events = recorded.iter().filter(of_command).cloned().map(event::<Run>).collect::<Result<Vec<_>, _>>()?;
        let run = fold::<Run>(run_id, recorded)?.state;
        Ok(Committed { run_id: run_id.to_owned(), run, events, first_sequence, position: appended.last, since })
    }

    async fn append_of(&self, act: &Act, reading: &mut Reading, events: &[RunEvent], extras: &Extras) -> Result<Append, Fault> {
        let mut append = act.append(&self.recorded_by());
        append.rows.clone_from(&extras.rows);
        append.requires.clone_from(&extras.requires);
        append.unstage.extend(extras.item);
        if events.is_empty() {
            return Ok(append);
        }
        let before = reading.run.state.clone();
        let effects = effects(&before, events);
        let stream = reading.run.stream();
        append.metadata.insert("correlation_id".into(), reading.run.id.clone());
        append.writes.push(reading.run.write(events)?);
        append.writes.extend(self.ledger_writes(reading, effects.ledger.clone()).await?);
        append.writes.extend(slot_write(reading, &effects)?);
        append.requires.extend(required(reading, events));
        append.stage.extend(staged(&stream, definition_of(&before, events), events, &effects));
        let unstaged = effects.unstage.iter().map(|(sequence, kind)| item_id(&stream, *sequence, *kind));
        let ids: BTreeSet<Uuid> = append.unstage.iter().copied().chain(unstaged).collect();
        append.unstage = ids.into_iter().collect();
        wait_for_slot(&mut append, reading, events);
        drop_written(&mut append);
        Ok(append)
    }

    async fn ledger_writes(
        &self,
        reading: &mut Reading,
        commands: Vec<(Target, LedgerCommand)>,
    ) -> Result<Vec<StreamWrite>, Fault> {
        let mut by_target: BTreeMap<Target, Vec<LedgerCommand>> = BTreeMap::new();
        for (target, command) in commands {
            by_target.entry(target).or_default().push(command);
        }
        let mut writes = Vec::new();
        for (target, commands) in by_target {
            let loaded = reading.entry(self, &target).await?;
            let (mut entry, mut events) = (loaded.state.clone(), Vec::new());
            for command in commands {
                for event in entry.decide(command).map_err(Fault::refused)? {
                    entry.apply(event.clone());
                    events.push(event);
                }
            }
            if !events.is_empty() {
                writes.push(loaded.write(&events)?);
            }
        }
        Ok(writes)
    }
}

fn slot_write(reading: &Reading, effects: &Effects) -> Result<Option<StreamWrite>, Fault> {
    let (Some(slot), Some(moved)) = (&reading.slot, effects.slot) else { return Ok(None) };
    let by = reading.run.id.clone();
    let command = match moved {
        SlotMove::Take => ReservationCommand::Take { by },
        SlotMove::Release => ReservationCommand::Release { by },
    };
    let events = slot.state.decide(command).map_err(Fault::refused)?;
    Ok(if events.is_empty() { None } else { Some(slot.write(&events)?) })
}

/// What else the decision rests on: the switches that allowed or refused, the holders that were in the way.
fn required(reading: &Reading, events: &[RunEvent]) -> Vec<(StreamId, u64)> {
    let mut required = Vec::new();
    let action = |step: &str| reading.run.state.planned(step).map(|planned| planned.action.clone());
    for event in events {
        match event {
            RunEvent::RunStarted { .. } => {
                required.extend(reading.switches.values().map(Loaded::required));
                required.extend(reading.definition.as_ref().map(Loaded::required));
            }
            RunEvent::RunWithdrawn { .. } => required.extend(reading.definition.as_ref().map(Loaded::required)),
            RunEvent::StepClaimed { step, .. } => {
                required.extend(action(step).and_then(|id| reading.switches.get(&id)).map(Loaded::required));
            }
            RunEvent::StepRefused { step, why, .. } => {
                required.extend(action(step).and_then(|id| reading.switches.get(&id)).map(Loaded::required));
                if matches!(why, Denied::Held { .. }) {
                    required.extend(held(reading));
                }
            }
            RunEvent::StepFailed { code, .. } if code == "held" => required.extend(held(reading)),
            RunEvent::RunBlocked { .. } | RunEvent::RunMissed { .. } => {
                required.extend(reading.slot.as_ref().map(Loaded::required));
                required.extend(reading.leaving.as_ref().map(Loaded::required));
            }
            _ => {}
        }
    }
    required
}

fn held(reading: &Reading) -> impl Iterator<Item = (StreamId, u64)> {
    reading.entries.values().filter(|entry| entry.state.holder().is_some()).map(Loaded::required)
}

fn is_of_caller(error: &AppendError, extras: &Extras) -> bool {
    matches!(error, AppendError::Moved { stream, .. } if extras.requires.iter().any(|(required, _)| required == stream))
}

/// Each stream once, and none that is written anyway.
fn drop_written(append: &mut Append) {
    let written: BTreeSet<StreamId> = append.writes.iter().map(|write| write.stream.clone()).collect();
    let mut seen = BTreeSet::new();
    append.requires.retain(|(stream, _)| !written.contains(stream) && seen.insert(stream.clone()));
}

/// A run that starts in the append that schedules it waits for neither its instant nor the end of its grace.
fn staged(stream: &StreamId, definition: &str, events: &[RunEvent], effects: &Effects) -> Vec<Staged> {
    let at_once = events.iter().any(|event| matches!(event, RunEvent::RunScheduled { .. }))
        && events.iter().any(|event| matches!(event, RunEvent::RunStarted { .. }));
    let waits = |due: &&Due| !(at_once && matches!(due.kind, DueKind::Start | DueKind::GraceEnd));
    let item = |due: &Due| Staged {
        id: item_id(stream, due.sequence, due.kind),
        stream: stream.clone(),
        kind: due.kind.to_string(),
        due_at: due.due_at,
        payload: json!({ "sequence": due.sequence, "step": due.step, "definition": definition }),
    };
    effects.stage.iter().filter(waits).map(item).collect()
}

/// The definition whose run it is: staged items name it, so that a definition's runs which have not begun can be found.
fn definition_of<'a>(before: &'a Run, events: &'a [RunEvent]) -> &'a str {
    let scheduled = events.iter().find_map(|event| match event {
        RunEvent::RunScheduled { run, .. } => Some(run.as_ref()),
        _ => None,
    });
    before.scheduled.as_ref().or(scheduled).map_or("", |scheduled| &scheduled.definition_id)
}

fn item_id(stream: &StreamId, sequence: u64, kind: DueKind) -> Uuid {
    Staged::id_for(stream, sequence, kind.into())
}

/// A run that is blocked subscribes to the release of its slot, in the append that says so; it stops listening when it
/// has moved on.
fn wait_for_slot(append: &mut Append, reading: &Reading, events: &[RunEvent]) {
    let (before, stream) = (&reading.run.state, reading.run.stream());
    if before.blocked_by.is_some() {
        append.unlisten.push(stream.clone());
    }
    let blocked = events.iter().any(|event| matches!(event, RunEvent::RunBlocked { .. }));
    let (true, Some(slot), Some(scheduled)) = (blocked, &reading.slot, &before.scheduled) else { return };
    append.listen.push(Listener {
        id: mint::command_of(&format!("{stream} waits for its slot")),
        stream,
        event_type: SLOT_RELEASED.into(),
        scope: Some(slot.id.clone()),
        filter: json!({ "due": scheduled.scheduled_for }),
        after_position: 0,
    });
}
