//! The fold. No rules here: an event has happened, and this is what it left.

use chrono::{DateTime, Utc};

use super::event::{RunEvent, Scheduled};
use super::holdings::{begin_undo, hold, let_go, let_go_unless_applied, reconcile, settle_undo, take};
use super::span::seconds;
use super::status::{CleanupStatus, Health, RunStatus, StepStatus};
use super::{ClaimState, PausedState, PhaseState, Run, Shared, StepError, StepState, UndoState, results};
use crate::ledger::Let;
use crate::plan::OnFailure;

pub(super) fn apply(run: &mut Run, event: RunEvent) {
    match event {
        RunEvent::RunScheduled { run: scheduled, .. } => {
            *run = Run { version: run.version, ..Run::default() };
            pin(run, *scheduled);
        }
        RunEvent::RunRepinned { run: scheduled, .. } => pin(run, *scheduled),
        RunEvent::RunWithdrawn { at, cause } => {
            run.withdrawn = Some(cause);
            end(run, RunStatus::Cancelled, at, false);
        }
        RunEvent::RunBlocked { by, .. } => run.blocked_by = Some(by),
        RunEvent::RunMissed { at, cause } => {
            run.missed = Some(cause);
            end(run, RunStatus::Missed, at, false);
        }
        RunEvent::RunStarted { at, late_seconds, budget } => {
            run.status = RunStatus::Running;
            run.started_at = Some(at);
            run.late_seconds = late_seconds;
            run.budget = budget;
            run.blocked_by = None;
        }
        RunEvent::PhaseEntered { at, phase, gate_due } => {
            let entered = run.version;
            run.phases.push(PhaseState { key: phase, entered_at: at, gate_due, entered, ..PhaseState::default() });
        }
        RunEvent::GateSatisfied { at, phase, by, .. } => {
            if let Some(state) = phase_of(run, &phase) {
                state.satisfied_at = Some(at);
                state.satisfied_by = Some(by);
            }
        }
        RunEvent::RunDegraded { .. } => {
            worsen(run);
            run.recovered_at = None;
        }
        RunEvent::RunRecovered { at, .. } => run.recovered_at = Some(at),
        RunEvent::SignalsCounted { phase, through, tally, last, .. } => {
            if let Some(state) = phase_of(run, &phase) {
                (state.through, state.tally, state.last_signal) = (through, tally, Some(last));
            }
        }
        RunEvent::RunStalled { phase, .. } => {
            run.health = run.health.max(Health::Stalled);
            if let Some(state) = phase_of(run, &phase) {
                state.stalled = true;
            }
        }
        RunEvent::GateTimedOut { at, phase, then } => time_out(run, at, &phase, then),
        RunEvent::RunPaused { at, step, stop, .. } => {
            run.status = RunStatus::Paused;
            run.paused = Some(PausedState { at, step, stop });
        }
        RunEvent::RunResumed { .. } => {
            run.status = RunStatus::Running;
            run.paused = None;
        }
        RunEvent::CapReread { dimension, cap, cap_from, .. } => {
            if let Some(meter) = run.budget.iter_mut().find(|meter| meter.dimension == dimension) {
                (meter.cap, meter.cap_from) = (cap, cap_from);
            }
        }
        RunEvent::RunCompleted { at } => end(run, RunStatus::Completed, at, true),
        RunEvent::RunCancelled { at, cleanup, .. } => end(run, RunStatus::Cancelled, at, cleanup),
        RunEvent::RunFailed { at, .. } => end(run, RunStatus::Failed, at, true),
        RunEvent::CleanupRequested { round, .. } => {
            run.cleanup_wanted = true;
            run.cleanup = CleanupStatus::Pending;
            run.undo = UndoState { round, ..UndoState::default() };
        }
        RunEvent::ParticipantsReported { step, participants, .. } => results::keep(run, &step, participants),
        RunEvent::ResultsPublished { at, places, .. } => {
            run.results_published_at = Some(at);
            run.places = std::sync::Arc::new(places);
        }
        RunEvent::GameRestarted { boot, .. } => {
            worsen(run);
            run.restarted = Some(boot);
        }
        RunEvent::HoldingsReconciled { lost, returned, round, unknown, .. } => {
            if !lost.is_empty() && !run.status.terminal() {
                worsen(run);
            }
            run.restarted = run.restarted.take().filter(|_| unknown > 0);
            reconcile(run, lost, returned, round);
        }
        RunEvent::CleanupCompleted { .. } => run.cleanup = CleanupStatus::Complete,
        RunEvent::CleanupStopped { .. } => run.cleanup = CleanupStatus::Incomplete,
        RunEvent::UndoBegun { step, attempt, expires_at, targets, .. } => begin_undo(run, step, attempt, expires_at, targets),
        RunEvent::UndoSettled { step, undone, next_try_at, .. } => settle_undo(run, &step, undone, next_try_at),
        of_a_step => apply_to_step(run, of_a_step),
    }
}

fn apply_to_step(run: &mut Run, event: RunEvent) {
    match event {
        RunEvent::StepClaimed { at, step, attempt, expires_at, draws, target, .. } => {
            let claim = ClaimState { sequence: run.version, claimed_at: at, expires_at };
            for meter in &mut run.budget {
                meter.consumed = meter.consumed.saturating_add(draws.get(&meter.dimension).copied().unwrap_or(0));
            }
            if let Some(target) = target {
                take(run, &step, target, at);
            }
            let Some(state) = state_of(run, &step) else { return };
            state.status = StepStatus::Running;
            state.attempts = attempt;
            state.claim = Some(claim);
            state.first_claimed_at = state.first_claimed_at.or(Some(at));
            state.not_before = None;
        }
        RunEvent::StepDone { at, step, resources, until, borrowed, replayed, held_until, words, .. } => {
            hold(run, &step, (resources, until), borrowed.as_ref());
            settle(run, &step, StepStatus::Done, at);
            if let Some(state) = state_of(run, &step) {
                state.replayed = replayed;
                state.words = words;
            }
            run.held_until = held_until;
            reopen_cleanup(run);
        }
        RunEvent::StepParked { at, step, resources, until, borrowed, replayed, words, .. } => {
            hold(run, &step, (resources, until), borrowed.as_ref());
            if let Some(state) = state_of(run, &step) {
                state.parked = true;
                state.parked_at = Some(at);
                state.replayed = replayed;
                state.words = words;
                state.claim = None;
            }
        }
        RunEvent::StepConfirmed { at, step, .. } => {
            settle(run, &step, StepStatus::Done, at);
            run.held_until = run.planned(&step).and_then(|planned| planned.hold_seconds).map(|span| at + seconds(span));
        }
        RunEvent::StepSkipped { at, step, .. } => {
            let_go_unless_applied(run, &step);
            settle(run, &step, StepStatus::Skipped, at);
        }
        RunEvent::StepRetried { step, .. } => {
            if let Some(state) = state_of(run, &step) {
                state.status = StepStatus::Pending;
                state.attempts = 0;
                state.settled_at = None;
                state.refused = None;
            }
        }
        RunEvent::AttemptFailed { at, step, code, unknown, next_try_at, detail, words, .. } => {
            worsen_by(run, &step, at);
            if let Some(state) = state_of(run, &step) {
                state.status = StepStatus::Pending;
                state.claim = None;
                state.not_before = Some(next_try_at);
                state.maybe_applied |= unknown;
                state.last_error = Some(StepError { code, unknown, detail, words });
            }
        }
        RunEvent::StepFailed { at, step, code, unknown, detail, words, .. } => {
            worsen_by(run, &step, at);
            if !unknown {
                let_go(run, &step, Let::NeverTaken);
            }
            settle(run, &step, StepStatus::Failed, at);
            if let Some(state) = state_of(run, &step) {
                state.maybe_applied |= unknown;
                state.last_error = Some(StepError { code, unknown, detail, words });
            }
            reopen_cleanup(run);
        }
        RunEvent::StepRefused { at, step, why, .. } => {
            worsen_by(run, &step, at);
            let_go_unless_applied(run, &step);
            settle(run, &step, StepStatus::Refused, at);
            if let Some(state) = state_of(run, &step) {
                state.refused = Some(why);
            }
        }
        RunEvent::StepAbandoned { at, step, .. } => settle(run, &step, StepStatus::Cancelled, at),
        _ => {}
    }
}

fn pin(run: &mut Run, scheduled: Scheduled) {
    run.steps = (scheduled.plan.steps())
        .map(|(phase, step)| StepState { key: step.key.clone(), phase, ..StepState::default() }.into())
        .collect();
    run.scheduled = Some(scheduled.into());
    run.blocked_by = None;
}

fn end(run: &mut Run, status: RunStatus, at: DateTime<Utc>, cleanup: bool) {
    run.status = status;
    run.ended_at = Some(at);
    run.paused = None;
    run.cleanup_wanted = cleanup;
    for step in &mut run.steps {
        let dispatching = step.claim.is_some() && !step.parked;
        if !step.status.terminal() && !dispatching {
            let step = step.to_mut();
            step.status = StepStatus::Cancelled;
            step.parked = false;
            step.settled_at = Some(at);
        }
    }
    run.cleanup = if run.holdings.is_empty() {
        CleanupStatus::NotRequired
    } else if run.unresolved().next().is_none() {
        CleanupStatus::Complete
    } else if cleanup {
        CleanupStatus::Pending
    } else {
        CleanupStatus::Incomplete
    };
}

/// An answer that came after the end may have left something behind; the teardown looks, and says how it stands.
fn reopen_cleanup(run: &mut Run) {
    if !run.status.terminal() || run.holdings.is_empty() {
        return;
    }
    run.cleanup = if run.cleanup_wanted {
        CleanupStatus::Pending
    } else if run.unresolved().next().is_some() {
        CleanupStatus::Incomplete
    } else {
        CleanupStatus::Complete
    };
}

fn time_out(run: &mut Run, at: DateTime<Utc>, phase: &str, then: OnFailure) {
    if let Some(state) = phase_of(run, phase) {
        state.timed_out = true;
    }
    match then {
        OnFailure::Skip => {}
        OnFailure::Pause => {
            run.status = RunStatus::Paused;
            run.paused = Some(PausedState { at, step: None, stop: None });
        }
        OnFailure::Abort => end(run, RunStatus::Failed, at, true),
    }
}

fn phase_of<'a>(run: &'a mut Run, key: &str) -> Option<&'a mut PhaseState> {
    run.phases.iter_mut().find(|state| state.key == key)
}

fn state_of<'a>(run: &'a mut Run, key: &str) -> Option<&'a mut StepState> {
    run.steps.iter_mut().find(|step| step.key == key).map(Shared::to_mut)
}

fn settle(run: &mut Run, step: &str, status: StepStatus, at: DateTime<Utc>) {
    if let Some(state) = state_of(run, step) {
        state.status = status;
        state.parked = false;
        state.claim = None;
        state.not_before = None;
        state.settled_at = Some(at);
    }
}

fn worsen_by(run: &mut Run, step: &str, at: DateTime<Utc>) {
    worsen(run);
    if let Some(state) = state_of(run, step) {
        state.trouble_since = state.trouble_since.or(Some(at));
    }
}

fn worsen(run: &mut Run) {
    run.health = run.health.max(Health::Degraded);
}
