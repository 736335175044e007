//! What a run holds and held, as its events leave it. Part of the fold: no rules here.

use chrono::{DateTime, Utc};

use super::event::{Borrowed, Lost, UndoOutcome, Undone};
use super::span::seconds;
use super::status::CleanupStatus;
use super::{Holding, Run, UndoClaim};
use crate::ledger::{EntryStatus, Let};
use crate::target::Target;

pub(super) fn take(run: &mut Run, step: &str, target: Target, at: DateTime<Utc>) {
    if run.holdings.iter().any(|held| held.target == target && held.step == step && held.status.holds()) {
        return;
    }
    let lease = run.planned(step).and_then(|planned| planned.lease.as_ref());
    let mut held = Holding::new(target, step, EntryStatus::Pending);
    held.until = lease.map(|lease| at + seconds(lease.hold_seconds));
    held.applied = lease.map(|lease| lease.value.clone());
    keep(run, held);
}

/// From the first thing that a run takes there is something to put back. What a step had wanted and never taken is
/// wanted again in its place.
fn keep(run: &mut Run, held: Holding) {
    // What can be taken again is not there any more: nothing is left to make sure of.
    for vanished in run.holdings.iter_mut().filter(|old| old.target == held.target && old.awaits_look()) {
        vanished.reason = Some(Let::Gone);
    }
    if !run.status.terminal() {
        run.cleanup = CleanupStatus::Pending;
    }
    let never_taken = |old: &&mut Holding| old.target == held.target && old.reason == Some(Let::NeverTaken);
    match run.holdings.iter_mut().find(never_taken) {
        Some(old) => *old = held,
        None => run.holdings.push(held),
    }
}

/// `made`: what is there now, and when the game takes it away by itself.
pub(super) fn hold(run: &mut Run, step: &str, made: (Vec<Target>, Option<DateTime<Utc>>), borrowed: Option<&Borrowed>) {
    let (resources, until) = made;
    for held in run.holdings.iter_mut().filter(|held| held.step == step && held.status == EntryStatus::Pending) {
        if held.target.is_placeholder() {
            held.status = EntryStatus::Reverted;
            held.reason = Some(Let::Answered);
        } else if let Some(borrowed) = borrowed {
            held.status = EntryStatus::Confirmed;
            held.baseline = Some(borrowed.baseline.clone());
            held.applied = Some(borrowed.applied.clone());
            held.until = Some(borrowed.until);
        }
    }
    for target in resources {
        if run.holdings.iter().any(|held| held.target == target && held.status.holds()) {
            continue;
        }
        keep(run, Holding { until, ..Holding::new(target, step, EntryStatus::Confirmed) });
    }
}

pub(super) fn let_go(run: &mut Run, step: &str, reason: Let) {
    for held in run.holdings.iter_mut().filter(|held| held.step == step && held.status == EntryStatus::Pending) {
        held.status = EntryStatus::Reverted;
        held.reason = Some(reason);
    }
}

/// What no attempt can have taken is not held any more.
pub(super) fn let_go_unless_applied(run: &mut Run, step: &str) {
    if !run.step(step).is_some_and(|state| state.maybe_applied) {
        let_go(run, step, Let::NeverTaken);
    }
}

pub(super) fn begin_undo(run: &mut Run, step: String, attempt: u32, expires_at: DateTime<Utc>, targets: Vec<Target>) {
    for held in run.holdings.iter_mut().filter(|held| held.status.holds() && targets.contains(&held.target)) {
        held.status = EntryStatus::Reverting;
        held.undo_attempts = attempt;
    }
    run.undo.tried.entry(step.clone()).or_default().attempts = attempt;
    run.undo.claim = Some(UndoClaim { sequence: run.version, step, targets, expires_at });
}

pub(super) fn settle_undo(run: &mut Run, step: &str, undone: Vec<Undone>, next_try_at: Option<DateTime<Utc>>) {
    run.undo.claim = None;
    run.undo.tried.entry(step.to_owned()).or_default().not_before = next_try_at;
    for one in undone {
        let of_step = |held: &&mut Holding| held.step == step && held.target == one.target && held.to_undo();
        let Some(held) = run.holdings.iter_mut().find(of_step) else { continue };
        let vanished = held.awaits_look();
        match one.result {
            // It had left the ledger before: that nothing is there, or nothing of this run's, is all that was to be found.
            UndoOutcome::Reverted { reason } if vanished => held.reason = Some(reason),
            UndoOutcome::Drifted { .. } if vanished => held.reason = Some(Let::Gone),
            UndoOutcome::Reverted { reason } => {
                held.status = EntryStatus::Reverted;
                held.reason = Some(reason);
                held.last_error = None;
            }
            UndoOutcome::Drifted { found } => {
                held.status = EntryStatus::Drifted;
                held.found = Some(found);
            }
            UndoOutcome::Failed { code } => held.last_error = Some(code),
        }
    }
}

pub(super) fn reconcile(run: &mut Run, lost: Vec<Lost>, returned: Vec<Target>, round: u32) {
    // After the end nobody looks again.
    let found_nothing = run.status.terminal().then_some(Let::Gone);
    for Lost { target, reason } in lost {
        for held in run.holdings.iter_mut().filter(|held| held.target == target && held.status.holds()) {
            held.status = EntryStatus::Orphaned;
            held.reason = found_nothing;
            held.vanished = Some(reason.clone());
        }
    }
    let came_back = !returned.is_empty();
    for target in returned {
        let Some(held) = run.holdings.iter_mut().rfind(|held| held.target == target) else { continue };
        let back = Holding::new(target, &held.step, EntryStatus::Confirmed);
        let (baseline, applied, until) = (held.baseline.take(), held.applied.take(), held.until);
        *held = Holding { baseline, applied, until, ..back };
        run.undo.tried.remove(&held.step);
    }
    run.undo.round = round;
    if came_back && run.status.terminal() {
        run.cleanup = if run.cleanup_wanted { CleanupStatus::Pending } else { CleanupStatus::Incomplete };
    }
}
