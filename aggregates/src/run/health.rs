//! Trouble and its end, told as facts of their own. Health only ever gets worse and stays what it was at its worst; that a
//! run is in trouble *now* is another thing, and so is that it has come out of it.

use super::event::RunEvent;
use super::status::{CleanupStatus, StepStatus};
use super::{Holding, Run, StepState};
use crate::decide::Decide;

impl Run {
    /// Whether something has gone wrong that has not gone right since: an attempt that brought no success and is to be
    /// followed by another, a step that failed, was refused or was given up, a gate that has waited too long, a game that has
    /// restarted and not told yet what is left, something that vanished.
    pub fn is_troubled(&self) -> bool {
        let in_the_game = self.restarted.is_some() || self.holdings.iter().any(Holding::awaits_look);
        in_the_game
            || self.states().any(in_trouble)
            || self.phases.iter().any(|phase| phase.stalled && phase.satisfied_at.is_none())
    }
}

/// Once something has gone wrong with a step it is in trouble until it is done. One that is given up never is.
fn in_trouble(step: &StepState) -> bool {
    step.trouble_since.is_some() && step.status != StepStatus::Done
}

/// `events`, and behind each that begins or ends a trouble the fact that it does.
pub(super) fn told(run: &Run, events: Vec<RunEvent>) -> Vec<RunEvent> {
    if !run.is_troubled() && !run.was_incomplete && !events.iter().any(goes_wrong) {
        return events;
    }
    let (mut run, mut told) = (run.clone(), Vec::with_capacity(events.len() + 1));
    for event in events {
        let (troubled, incomplete) = (run.is_troubled(), run.cleanup == CleanupStatus::Incomplete);
        run.apply(event.clone());
        let follows = match &event {
            _ if run.is_troubled() && !troubled => degraded(&run, &event),
            _ if troubled && !run.is_troubled() && !run.status.terminal() => Some(recovered(&event)),
            RunEvent::CleanupCompleted { .. } if run.was_incomplete || incomplete => Some(recovered(&event)),
            _ => None,
        };
        told.push(event);
        if let Some(follows) = follows {
            run.apply(follows.clone());
            told.push(follows);
        }
    }
    told
}

fn goes_wrong(event: &RunEvent) -> bool {
    matches!(
        event,
        RunEvent::AttemptFailed { .. }
            | RunEvent::StepFailed { .. }
            | RunEvent::StepRefused { .. }
            | RunEvent::GameRestarted { .. }
    ) || matches!(event, RunEvent::HoldingsReconciled { lost, .. } if !lost.is_empty())
}

fn degraded(run: &Run, event: &RunEvent) -> Option<RunEvent> {
    let code = match event {
        RunEvent::AttemptFailed { code, .. } | RunEvent::StepFailed { code, .. } => code.clone(),
        RunEvent::StepRefused { why, .. } => why.code().to_owned(),
        RunEvent::GameRestarted { .. } => "game_restarted".to_owned(),
        RunEvent::HoldingsReconciled { .. } => "orphaned".to_owned(),
        _ => return None,
    };
    let vanished = || run.holdings.iter().find(|held| held.awaits_look()).map(|held| held.step.clone());
    let step = match event {
        RunEvent::HoldingsReconciled { .. } => vanished(),
        of_a_step => of_a_step.step().map(str::to_owned),
    };
    Some(RunEvent::RunDegraded { at: event.at(), step, code })
}

fn recovered(event: &RunEvent) -> RunEvent {
    let (step, phase) = match event {
        RunEvent::GateSatisfied { phase, .. } => (None, Some(phase.clone())),
        of_a_step => (of_a_step.step().map(str::to_owned), None),
    };
    RunEvent::RunRecovered { at: event.at(), step, phase }
}
