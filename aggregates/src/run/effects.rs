//! What a run's events mean beside its own stream: ledger entries, the slot, and what is staged for later. Pure, so that
//! a control's consequences can be described from the events that it would append.

use chrono::{DateTime, Utc};

use super::Run;
use super::event::{Lost, RunEvent, SatisfiedBy, UndoOutcome};
use super::proceed::waits_until;
use super::span::seconds;
use super::undo::next_undo;
use crate::decide::Decide;
use crate::ledger::{LedgerCommand, Let};
use crate::plan::OnFailure;
use crate::target::Target;

/// Something to look at again later. Its id is derived from the stream, the sequence of the event that caused it, and
/// its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    pub sequence: u64,
    pub kind: DueKind,
    pub due_at: DateTime<Utc>,
    /// The step that it is about, if it is about one.
    pub step: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum DueKind {
    Start,
    GraceEnd,
    /// A gate, a hold or a retry.
    Advance,
    /// A gate that has waited long for its signals; the sequence is that of its phase's entry.
    Stall,
    ClaimExpiry,
    /// The teardown, or the end of a lease.
    Sweep,
    UndoExpiry,
}

/// What becomes of the concurrency slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlotMove {
    Take,
    Release,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Effects {
    pub ledger: Vec<(Target, LedgerCommand)>,
    pub slot: Option<SlotMove>,
    pub stage: Vec<Due>,
    /// By the sequence that staged it.
    pub unstage: Vec<(u64, DueKind)>,
}

/// The effects of `events` on a run that stood at `before`.
pub fn effects(before: &Run, events: &[RunEvent]) -> Effects {
    let mut run = before.clone();
    let mut out = Effects::default();
    for event in events {
        out.of(&run, event);
        run.apply(event.clone());
    }
    out.wait(&run);
    out
}

impl Effects {
    fn of(&mut self, before: &Run, event: &RunEvent) {
        let sequence = before.version + 1;
        match event {
            RunEvent::RunScheduled { run, .. } | RunEvent::RunRepinned { run, .. } => {
                self.stage(sequence, DueKind::Start, run.scheduled_for, None);
                let end = run.scheduled_for + seconds(run.grace_seconds + 1);
                self.stage(sequence, DueKind::GraceEnd, end, None);
            }
            RunEvent::RunStarted { .. } => self.slot = Some(SlotMove::Take),
            RunEvent::PhaseEntered { at, phase, gate_due } => {
                if let Some(due) = gate_due {
                    self.stage(sequence, DueKind::Advance, *due, None);
                }
                let planned = before.plan().and_then(|plan| plan.phases.iter().find(|planned| planned.key == *phase));
                if let Some(gate) = planned.and_then(|planned| planned.gate.as_ref()) {
                    self.stage(sequence, DueKind::Stall, *at + seconds(gate.stall_seconds), None);
                }
            }
            RunEvent::RunCompleted { at }
            | RunEvent::RunCancelled { at, .. }
            | RunEvent::RunFailed { at, .. }
            | RunEvent::GateTimedOut { at, then: OnFailure::Abort, .. } => {
                if before.started_at.is_some() {
                    self.slot = Some(SlotMove::Release);
                }
                self.sweep_after(before, event, sequence, *at);
            }
            RunEvent::CleanupRequested { at, .. } => self.stage(sequence, DueKind::Sweep, *at, None),
            RunEvent::HoldingsReconciled { at, lost, returned, .. } => {
                self.reconciled(before, lost, returned);
                self.sweep_after(before, event, sequence, *at);
            }
            RunEvent::UndoBegun { step, round, attempt, expires_at, targets, .. } => {
                for target in targets.iter().filter(|target| before.holds(step, target)) {
                    let run_id = run_id(before);
                    self.ledger.push((target.clone(), LedgerCommand::BeginUndo { run_id, round: *round, attempt: *attempt }));
                }
                self.stage(sequence, DueKind::UndoExpiry, *expires_at, Some(step));
            }
            RunEvent::UndoSettled { step, claim, undone, .. } => {
                // What had vanished has left the ledger already; its target may be somebody else's now.
                for one in undone.iter().filter(|one| before.holds(step, &one.target)) {
                    self.ledger.push((one.target.clone(), undone_command(before, &one.result)));
                }
                self.unstage.push((*claim, DueKind::UndoExpiry));
                let mut after = before.clone();
                after.apply(event.clone());
                if let Some(due) = next_undo(&after) {
                    self.stage(sequence, DueKind::Sweep, due, None);
                }
            }
            of_a_step => self.of_step(before, of_a_step, sequence),
        }
    }

    fn of_step(&mut self, before: &Run, event: &RunEvent, sequence: u64) {
        match event {
            RunEvent::StepClaimed { at, step, expires_at, target, .. } => {
                if let Some(target) = target {
                    let lease = before.planned(step).and_then(|planned| planned.lease.as_ref());
                    let command = LedgerCommand::Reserve {
                        run_id: run_id(before),
                        step: step.clone(),
                        wanted: lease.map(|lease| lease.value.clone()),
                        until: lease.map(|lease| *at + seconds(lease.hold_seconds)),
                    };
                    self.ledger.push((target.clone(), command));
                }
                self.stage(sequence, DueKind::ClaimExpiry, *expires_at, Some(step));
            }
            RunEvent::StepDone { at, step, claim, held_until, borrowed, until, .. } => {
                self.taken(before, event, step);
                let over = borrowed.as_ref().map(|borrowed| borrowed.until).or(*until);
                if let Some(over) = over.filter(|_| !before.status.terminal()) {
                    self.stage(sequence, DueKind::Sweep, over, None);
                }
                self.unstage.push((*claim, DueKind::ClaimExpiry));
                if let Some(due) = held_until {
                    self.stage(sequence, DueKind::Advance, *due, None);
                }
                self.sweep_after(before, event, sequence, *at);
            }
            RunEvent::StepParked { step, claim, borrowed, until, .. } => {
                self.taken(before, event, step);
                if let Some(over) = borrowed.as_ref().map(|borrowed| borrowed.until).or(*until) {
                    self.stage(sequence, DueKind::Sweep, over, None);
                }
                self.unstage.push((*claim, DueKind::ClaimExpiry));
            }
            RunEvent::AttemptFailed { claim, next_try_at, .. } => {
                self.unstage.push((*claim, DueKind::ClaimExpiry));
                self.stage(sequence, DueKind::Advance, *next_try_at, None);
            }
            RunEvent::StepFailed { at, step, claim, unknown, .. } => {
                if !unknown {
                    self.never_taken(before, step);
                }
                self.unstage.extend(claim.map(|claim| (claim, DueKind::ClaimExpiry)));
                self.sweep_after(before, event, sequence, *at);
            }
            RunEvent::GateSatisfied { at, by: SatisfiedBy::Human, .. } => self.stage(sequence, DueKind::Advance, *at, None),
            RunEvent::StepRefused { step, .. } | RunEvent::StepSkipped { step, .. }
                if !before.step(step).is_some_and(|state| state.maybe_applied) =>
            {
                self.never_taken(before, step);
            }
            RunEvent::StepAbandoned { at, claim, .. } => {
                self.unstage.push((*claim, DueKind::ClaimExpiry));
                self.sweep_after(before, event, sequence, *at);
            }
            _ => {}
        }
    }

    /// What an answer brought: the placeholder has done its work, a borrowed value has its baseline, objects are there.
    fn taken(&mut self, before: &Run, event: &RunEvent, step: &str) {
        let (resources, until, borrowed) = match event {
            RunEvent::StepDone { resources, until, borrowed, .. } | RunEvent::StepParked { resources, until, borrowed, .. } => {
                (resources, *until, borrowed.as_ref())
            }
            _ => return,
        };
        let Some(planned) = before.planned(step) else { return };
        for held in before.holdings.iter().filter(|held| held.step == step && held.status.holds()) {
            if held.target.is_placeholder() {
                let command = LedgerCommand::Revert { run_id: run_id(before), reason: Let::Answered };
                self.ledger.push((held.target.clone(), command));
            } else if let (Some(borrowed), Some(_)) = (borrowed, &planned.lease) {
                self.ledger.push((held.target.clone(), confirm(before, step, Some(borrowed), None)));
            }
        }
        for target in resources {
            self.ledger.push((target.clone(), confirm(before, step, None, until)));
        }
    }

    fn reconciled(&mut self, before: &Run, lost: &[Lost], returned: &[Target]) {
        for Lost { target, reason } in lost {
            let command = LedgerCommand::Orphan { run_id: run_id(before), reason: reason.clone() };
            self.ledger.push((target.clone(), command));
        }
        for target in returned {
            let Some(held) = before.holdings.iter().rfind(|held| held.target == *target) else { continue };
            let command = LedgerCommand::Confirm {
                run_id: run_id(before),
                step: held.step.clone(),
                baseline: held.baseline.clone(),
                applied: held.applied.clone(),
                until: held.until,
            };
            self.ledger.push((target.clone(), command));
        }
    }

    fn never_taken(&mut self, before: &Run, step: &str) {
        let pending = |held: &&super::Holding| held.step == step && held.status == crate::ledger::EntryStatus::Pending;
        for held in before.holdings.iter().filter(pending) {
            let command = LedgerCommand::Revert { run_id: run_id(before), reason: Let::NeverTaken };
            self.ledger.push((held.target.clone(), command));
        }
    }

    /// Whatever the run waits for now is staged by the append after which it waits: an item that was staged for the same
    /// instant before may have fallen due, and been dropped, while a step was still under way.
    fn wait(&mut self, after: &Run) {
        let Some(due_at) = waits_until(after) else { return };
        let sequence = after.version;
        self.stage.retain(|due| (due.sequence, due.kind) != (sequence, DueKind::Advance));
        self.stage(sequence, DueKind::Advance, due_at, None);
    }

    /// A teardown follows an end, and every answer that comes after the end.
    fn sweep_after(&mut self, before: &Run, event: &RunEvent, sequence: u64, at: DateTime<Utc>) {
        let mut after = before.clone();
        after.apply(event.clone());
        if after.status.terminal() && after.cleanup == super::CleanupStatus::Pending {
            self.stage(sequence, DueKind::Sweep, at, None);
        }
    }

    fn stage(&mut self, sequence: u64, kind: DueKind, due_at: DateTime<Utc>, step: Option<&str>) {
        self.stage.push(Due { sequence, kind, due_at, step: step.map(str::to_owned) });
    }
}

fn confirm(before: &Run, step: &str, borrowed: Option<&super::Borrowed>, until: Option<DateTime<Utc>>) -> LedgerCommand {
    LedgerCommand::Confirm {
        run_id: run_id(before),
        step: step.to_owned(),
        baseline: borrowed.map(|borrowed| borrowed.baseline.clone()),
        applied: borrowed.map(|borrowed| borrowed.applied.clone()),
        until: borrowed.map(|borrowed| borrowed.until).or(until),
    }
}

fn undone_command(before: &Run, result: &UndoOutcome) -> LedgerCommand {
    let run_id = run_id(before);
    match result {
        UndoOutcome::Reverted { reason } => LedgerCommand::Revert { run_id, reason: *reason },
        UndoOutcome::Drifted { found } => LedgerCommand::Drift { run_id, found: found.clone() },
        UndoOutcome::Failed { code } => LedgerCommand::FailUndo { run_id, code: code.clone() },
    }
}

fn run_id(run: &Run) -> String {
    run.scheduled.as_ref().map(|scheduled| scheduled.run_id.clone()).unwrap_or_default()
}
