//! What one decision about a run writes, all of it in one append: the run's own events, the transition of every target that it
//! touches, its slot, what is staged and what is not due any more, and what the decision rests on.

use std::collections::{BTreeMap, BTreeSet};

use leasehold_aggregates::allowance::{AllowanceCommand, AllowanceEvent};
use leasehold_aggregates::authorise::Denied;
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::ledger::LedgerCommand;
use leasehold_aggregates::reservation::ReservationCommand;
use leasehold_aggregates::run::{Due, DueKind, Effects, Run, RunEvent, SlotMove, effects};
use leasehold_aggregates::target::Target;
use serde_json::json;
use uuid::Uuid;

use super::commit::SLOT_RELEASED;
use super::{Extras, Reading, listening};
use crate::engine::folds::Fold;
use crate::engine::streams::Loaded;
use crate::engine::{Act, Engine, Fault, mint};
use crate::log::{Append, Listener, Staged, StreamId, StreamWrite};

impl Engine {
    pub(super) async fn append_of(
        &self,
        act: &Act,
        reading: &mut Reading,
        events: &[RunEvent],
        extras: &Extras,
    ) -> Result<Append, Fault> {
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
        append.writes.extend(extras.beside.iter().cloned());
        append.writes.extend(self.ledger_writes(reading, effects.ledger.clone()).await?);
        append.writes.extend(slot_write(reading, &effects)?);
        append.writes.extend(allowance_writes(reading, events)?);
        append.requires.extend(required(reading, events));
        append.stage.extend(staged(&stream, definition_of(&before, events), events, &effects));
        let unstaged = effects.unstage.iter().map(|(sequence, kind)| item_id(&stream, *sequence, *kind));
        let ids: BTreeSet<Uuid> = append.unstage.iter().copied().chain(unstaged).collect();
        append.unstage = ids.into_iter().collect();
        wait_for_slot(&mut append, reading, events);
        listening::at_gates(&mut append, &stream, &before, events);
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
            let (mut entry, mut events) = (loaded.clone(), Vec::new());
            for command in commands {
                for event in entry.state.decide(command).map_err(Fault::refused)? {
                    entry.state.apply(event.clone());
                    entry.sequence += 1;
                    events.push(event);
                }
            }
            if !events.is_empty() {
                writes.push(loaded.write(&events)?);
                reading.after.push(Fold::of(&entry, reading.era));
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

/// What the claims of these events draw on the day, where the day is bounded.
fn allowance_writes(reading: &mut Reading, events: &[RunEvent]) -> Result<Vec<StreamWrite>, Fault> {
    let mut drawn: BTreeMap<&str, Vec<AllowanceEvent>> = BTreeMap::new();
    let mut after = reading.allowances.clone();
    for event in events {
        let RunEvent::StepClaimed { step, draws, .. } = event else { continue };
        for (dimension, amount) in draws {
            let (Some(allowance), Some(meter)) = (after.get_mut(dimension), reading.facts.day.get(dimension)) else { continue };
            let draw = AllowanceCommand::Draw {
                run_id: reading.run.id.clone(),
                step: step.clone(),
                amount: *amount,
                cap: meter.cap,
                counted: reading.counted.get(dimension).copied(),
            };
            for event in allowance.state.decide(draw).map_err(Fault::refused)? {
                allowance.state.apply(event.clone());
                allowance.sequence += 1;
                drawn.entry(dimension.as_str()).or_default().push(event);
            }
        }
    }
    let writes =
        drawn.iter().map(|(dimension, events)| reading.allowances[*dimension].write(events)).collect::<Result<_, _>>()?;
    reading.after.extend(drawn.keys().map(|dimension| Fold::of(&after[*dimension], reading.era)));
    Ok(writes)
}

/// What else the decision rests on: the switches that allowed or refused, the holders that were in the way,
/// the run that must have given back what it took.
fn required(reading: &Reading, events: &[RunEvent]) -> Vec<(StreamId, u64)> {
    let mut required = Vec::new();
    let action = |step: &str| reading.run.state.planned(step).map(|planned| planned.action.clone());
    for event in events {
        match event {
            RunEvent::RunStarted { .. } => {
                required.extend(reading.switches.values().map(Loaded::required));
                required.extend(reading.definition.as_ref().map(Loaded::required));
                required.extend(reading.deployment.as_ref().map(Loaded::required));
                required.extend(reading.predecessor.as_ref().map(Loaded::required));
            }
            RunEvent::RunResumed { .. } => required.extend(reading.deployment.as_ref().map(Loaded::required)),
            RunEvent::RunWithdrawn { .. } => required.extend(reading.definition.as_ref().map(Loaded::required)),
            RunEvent::CapReread { .. } => required.extend(reading.switches.values().map(Loaded::required)),
            RunEvent::StepClaimed { step, .. } => {
                required.extend(action(step).and_then(|id| reading.switches.get(&id)).map(Loaded::required));
                required.extend(reading.deployment.as_ref().map(Loaded::required));
            }
            RunEvent::StepRefused { step, why, .. } => {
                required.extend(action(step).and_then(|id| reading.switches.get(&id)).map(Loaded::required));
                match why {
                    Denied::Held { .. } => required.extend(held(reading)),
                    Denied::OverDayCap { .. } => {
                        required.extend(reading.deployment.as_ref().map(Loaded::required));
                        required.extend(reading.allowances.values().map(Loaded::required));
                    }
                    _ => {}
                }
            }
            RunEvent::StepFailed { code, .. } if code == "held" => required.extend(held(reading)),
            RunEvent::RunBlocked { .. } | RunEvent::RunMissed { .. } => {
                required.extend(reading.slot.as_ref().map(Loaded::required));
                required.extend(reading.predecessor.as_ref().map(Loaded::required));
                required.extend(reading.deployment.as_ref().map(Loaded::required));
            }
            _ => {}
        }
    }
    required
}

fn held(reading: &Reading) -> impl Iterator<Item = (StreamId, u64)> {
    reading.entries.values().filter(|entry| entry.state.holder().is_some()).map(Loaded::required)
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
    before.scheduled.as_deref().or(scheduled).map_or("", |scheduled| &scheduled.definition_id)
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
