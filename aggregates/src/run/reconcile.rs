//! Log and world may have come apart: a game that restarts has forgotten what it did not save, and one that starts from an
//! older save has back what was taken away since. What the game says of it now is held against what the run holds.
//!
//! Only "it is not there" moves anything: what the game cannot tell of stays as it is.

use chrono::{DateTime, Utc};

use super::command::Facts;
use super::event::{Lost, RunEvent};
use super::undo::followed;
use super::{Holding, Run};
use crate::decide::Decide;
use crate::ledger::{EntryStatus, Let};
use crate::target::{OVERRIDE, Target};

/// What a game said of one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    pub target: Target,
    /// Whether the run held it when the game was asked.
    pub held: bool,
    /// None: the game cannot tell.
    pub present: Option<bool>,
}

/// Told once for each life of the game, and only to a run that is under way.
pub(super) fn note_restart(run: &Run, at: DateTime<Utc>, module: String, boot: String) -> Vec<RunEvent> {
    let under_way = run.started_at.is_some() && !run.status.terminal();
    if !under_way || run.restarted.as_ref() == Some(&boot) {
        return Vec::new();
    }
    vec![RunEvent::GameRestarted { at, module, boot }]
}

pub(super) fn reconcile(run: &Run, at: DateTime<Utc>, module: String, looks: &[Look], facts: &Facts) -> Vec<RunEvent> {
    let (mut lost, mut returned, mut unknown) = (Vec::new(), Vec::new(), 0);
    for look in looks {
        let Some(held) = run.holdings.iter().rfind(|held| held.target == look.target) else { continue };
        match look.present {
            Some(false) if look.held && may_be_lost(run, held, at) => {
                lost.push(Lost { target: look.target.clone(), reason: reason(&look.target).to_owned() });
            }
            Some(true) if !look.held && may_return(held) && !facts.held.contains_key(&look.target) => {
                returned.push(look.target.clone());
            }
            None if held.status.holds() => unknown += 1,
            _ => {}
        }
    }
    let told_all = run.restarted.is_some() && unknown == 0;
    if lost.is_empty() && returned.is_empty() && !told_all {
        return Vec::new();
    }
    let again = !returned.is_empty() && run.status.terminal();
    let round = run.undo.round + u32::from(again);
    let reconciled = RunEvent::HoldingsReconciled { at, module, lost, returned, round, unknown };
    let mut events = followed(run, reconciled, at, facts.limits);
    if ended_clean(run, &events) {
        events.push(RunEvent::CleanupCompleted { at });
    }
    events
}

/// Held by an answer, and no undo is under way that will tell. A lease past its deadline did not vanish: the game has let it go
/// as it should, and says so when it is asked to give it back.
fn may_be_lost(run: &Run, held: &Holding, at: DateTime<Utc>) -> bool {
    let settled = matches!(held.status, EntryStatus::Confirmed | EntryStatus::Reverting);
    let being_undone = run.undo.claim.as_ref().is_some_and(|claim| claim.step == held.step);
    settled && !being_undone && held.until.is_none_or(|until| until > at)
}

/// It was there once, and was let go. What somebody else has moved is theirs.
fn may_return(held: &Holding) -> bool {
    let was_there = !matches!(held.reason, Some(Let::NeverTaken | Let::Answered));
    matches!(held.status, EntryStatus::Reverted | EntryStatus::Orphaned) && was_there
}

fn reason(target: &Target) -> &'static str {
    if target.kind == OVERRIDE { "not_in_force" } else { "gone" }
}

/// Whether a teardown that had stopped in front of what is gone now has nothing left.
fn ended_clean(run: &Run, events: &[RunEvent]) -> bool {
    let mut after = run.clone();
    for event in events {
        after.apply(event.clone());
    }
    after.status.terminal() && after.cleanup == super::CleanupStatus::Incomplete && after.unresolved().next().is_none()
}
