//! Undoing: the teardown, one claim at a time over what the run holds, the last thing taken first; and, while a run goes
//! on, the end of each lease whose deadline has passed, so that the next run can borrow the value.

use chrono::{DateTime, TimeDelta, Utc};

use super::command::Limits;
use super::event::{RunEvent, UndoOutcome, Undone};
use super::refusal::Decided;
use super::span::seconds;
use super::status::CleanupStatus;
use super::{Holding, Run, RunRefusal};
use crate::decide::Decide;
use crate::keys::undo_key;
use crate::ledger::EntryStatus;
use crate::note::NoteRef;
use crate::target::Target;

/// Begins the next undo, or says that nothing is left to try.
pub(super) fn sweep(run: &Run, at: DateTime<Utc>, limits: Limits) -> Decided {
    let events = next(run, at, limits);
    if events.is_empty() { Err(RunRefusal::MovedOn) } else { Ok(events) }
}

pub(super) fn settle(
    run: &Run,
    at: DateTime<Utc>,
    claim: u64,
    undone: Vec<Undone>,
    words: Option<NoteRef>,
    limits: Limits,
) -> Decided {
    let current = run.undo.claim.as_ref().filter(|current| current.sequence == claim).ok_or(RunRefusal::StaleUndo)?;
    let attempts = run.undo.tried.get(&current.step).map_or(0, |tried| tried.attempts);
    let failed = undone.iter().any(|one| matches!(one.result, UndoOutcome::Failed { .. }));
    // While the run goes on, one look is enough: its teardown comes back to what is left.
    let next_try_at =
        (failed && run.status.terminal() && attempts < limits.undo_attempts).then(|| at + seconds(limits.retry_seconds));
    let settled = RunEvent::UndoSettled { at, step: current.step.clone(), claim, undone, next_try_at, words };
    Ok(followed(run, settled, at, limits))
}

pub(super) fn expire(run: &Run, at: DateTime<Utc>, claim: u64, limits: Limits) -> Decided {
    let current = run.undo.claim.as_ref().filter(|current| current.sequence == claim).ok_or(RunRefusal::MovedOn)?;
    if current.expires_at > at {
        return Err(RunRefusal::MovedOn);
    }
    let failed =
        |target: &Target| Undone { target: target.clone(), result: UndoOutcome::Failed { code: "claim_expired".into() } };
    let undone = current.targets.iter().map(failed).collect();
    let settled = RunEvent::UndoSettled { at, step: current.step.clone(), claim, undone, next_try_at: None, words: None };
    Ok(followed(run, settled, at, limits))
}

pub(super) fn followed(run: &Run, event: RunEvent, at: DateTime<Utc>, limits: Limits) -> Vec<RunEvent> {
    let mut after = run.clone();
    after.apply(event.clone());
    let mut events = vec![event];
    events.extend(next(&after, at, limits));
    events
}

fn next(run: &Run, at: DateTime<Utc>, limits: Limits) -> Vec<RunEvent> {
    if run.undo.claim.is_some() {
        return Vec::new();
    }
    match (run.status.terminal(), run.cleanup) {
        (true, CleanupStatus::Pending) => teardown(run, at, limits),
        (false, CleanupStatus::Pending) => lease_over(run, at, limits),
        (true, CleanupStatus::Incomplete) if !run.cleanup_wanted => left_as_asked(run, at, limits),
        _ => Vec::new(),
    }
}

/// Nobody tears this run down; its leases end all the same.
fn left_as_asked(run: &Run, at: DateTime<Utc>, limits: Limits) -> Vec<RunEvent> {
    if run.unresolved().next().is_none() { vec![RunEvent::CleanupCompleted { at }] } else { lease_over(run, at, limits) }
}

/// The first lease that is over and that nobody has looked at yet: the game has put the value back by itself, and says so
/// when it is asked.
fn lease_over(run: &Run, at: DateTime<Utc>, limits: Limits) -> Vec<RunEvent> {
    let over = |held: &&Holding| held.status == EntryStatus::Confirmed && held.until.is_some_and(|until| until <= at);
    let untried = |held: &&Holding| !run.undo.tried.contains_key(&held.step);
    let step = run.holdings.iter().filter(over).find(untried).map(|held| held.step.clone());
    step.map(|step| begin(run, step, 1, at, limits)).into_iter().collect()
}

fn teardown(run: &Run, at: DateTime<Utc>, limits: Limits) -> Vec<RunEvent> {
    let live = |step: &str| run.live_claims().any(|(state, _)| state.key == step);
    let mut waiting = run.live_claims().next().is_some();
    for step in steps_to_undo(run) {
        if live(&step) {
            continue;
        }
        let tried = run.undo.tried.get(&step).cloned().unwrap_or_default();
        if tried.attempts >= limits.undo_attempts {
            continue;
        }
        if tried.not_before.is_some_and(|until| until > at) {
            waiting = true;
            continue;
        }
        return vec![begin(run, step, tried.attempts + 1, at, limits)];
    }
    if waiting {
        return Vec::new();
    }
    match run.unresolved().count() {
        0 => vec![RunEvent::CleanupCompleted { at }],
        unresolved => vec![RunEvent::CleanupStopped { at, unresolved: unresolved as u64 }],
    }
}

/// The instant of the next undo that is to be tried again, while none is under way.
pub(super) fn next_undo(run: &Run) -> Option<DateTime<Utc>> {
    if run.cleanup != CleanupStatus::Pending || run.undo.claim.is_some() {
        return None;
    }
    steps_to_undo(run).iter().filter_map(|step| run.undo.tried.get(step)?.not_before).min()
}

/// Steps that still hold something, or held what vanished, the last one to take something first.
fn steps_to_undo(run: &Run) -> Vec<String> {
    let mut steps: Vec<String> = Vec::new();
    for held in run.holdings.iter().rev().filter(|held| held.to_undo()) {
        if !steps.contains(&held.step) {
            steps.push(held.step.clone());
        }
    }
    steps
}

fn begin(run: &Run, step: String, attempt: u32, at: DateTime<Utc>, limits: Limits) -> RunEvent {
    let held = run.holdings.iter().filter(|held| held.step == step && held.to_undo());
    let targets = held.map(|held| held.target.clone()).collect();
    let budget = run.planned(&step).map_or(0, |planned| planned.budget_ms).min(3_600_000);
    let run_id = run.scheduled.as_ref().map_or("", |scheduled| &scheduled.run_id);
    RunEvent::UndoBegun {
        at,
        round: run.undo.round,
        attempt,
        key: undo_key(run_id, &step, run.undo.round),
        // Two commands are sent: the run's end, and the undo.
        expires_at: at + TimeDelta::milliseconds(2 * budget.cast_signed()) + seconds(limits.claim_margin_seconds),
        step,
        targets,
    }
}
