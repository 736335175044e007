//! What events that have not happened would mean, in words: from the events, and from their effects beside the stream.

use std::collections::BTreeMap;

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::run::{DueKind, Holding, Run, RunEvent, SlotMove, StepStatus, effects};

use crate::sentences;

/// What would follow if `events` happened to `before`.
pub fn consequences(before: &Run, events: &[RunEvent]) -> Vec<String> {
    let mut after = before.clone();
    let mut said = Vec::new();
    for event in events {
        said.extend(of_event(&after, event));
        after.apply(event.clone());
    }
    let effects = effects(before, events);
    if after.status.terminal() && !before.status.terminal() {
        said.extend(of_the_end(before, &after));
    }
    if effects.stage.iter().any(|due| due.kind == DueKind::Sweep) {
        said.push("the teardown begins at once".to_owned());
    }
    let key = before.scheduled.as_ref().and_then(|scheduled| scheduled.concurrency_key.as_ref());
    if let (Some(SlotMove::Release), Some(key)) = (effects.slot, key) {
        said.push(format!("another run of the concurrency key {key} may start"));
    }
    said
}

fn of_event(run: &Run, event: &RunEvent) -> Option<String> {
    let label = |phase: &str| sentences::phase_label(run, phase);
    Some(match event {
        RunEvent::RunScheduled { run, .. } => format!("the run is scheduled for {}", sentences::second(run.scheduled_for)),
        RunEvent::RunRepinned { run, .. } => format!("the run follows version {} instead", run.definition_version),
        RunEvent::RunWithdrawn { .. } => "the run is taken off the calendar".to_owned(),
        RunEvent::RunBlocked { by, .. } => format!("the run waits for run {by}"),
        RunEvent::RunMissed { .. } => "the run counts as missed".to_owned(),
        RunEvent::RunStarted { .. } => "the run starts".to_owned(),
        RunEvent::PhaseEntered { phase, .. } => format!("the phase {} begins", label(phase)),
        RunEvent::GateSatisfied { phase, .. } => format!("the gate of the phase {} opens", label(phase)),
        RunEvent::SignalsCounted { phase, tally, .. } => format!("the gate of the phase {} has counted {tally}", label(phase)),
        RunEvent::GateTimedOut { phase, then, .. } => {
            format!("the gate of the phase {} has waited as long as it may: {}", label(phase), sentences::time_out(*then))
        }
        RunEvent::RunStalled { phase, .. } => format!("the run counts as stalled at the gate of the phase {}", label(phase)),
        RunEvent::StepClaimed { step, draws, .. } => claimed(run, step, draws),
        RunEvent::StepDone { step, .. } | RunEvent::StepConfirmed { step, .. } => format!("step {step} is done"),
        RunEvent::StepParked { step, .. } => format!("step {step} waits for a person"),
        RunEvent::AttemptFailed { step, next_try_at, .. } => {
            format!("step {step} is tried again at {}", sentences::second(*next_try_at))
        }
        RunEvent::StepFailed { step, detail, code, .. } => {
            format!("step {step} fails: {}", sentences::error(code, detail.as_deref(), None, None))
        }
        RunEvent::StepRefused { step, why, .. } => format!("step {step} is refused: {why}"),
        RunEvent::StepAbandoned { step, .. } => format!("step {step} is given up"),
        RunEvent::RunDegraded { .. } => "the run counts as degraded".to_owned(),
        RunEvent::RunRecovered { step, phase, .. } => {
            format!("the run has recovered: {}", sentences::recovery(run, step.as_deref(), phase.as_deref()))
        }
        RunEvent::RunPaused { step: Some(step), .. } => format!("the run pauses at step {step}"),
        RunEvent::RunPaused { step: None, .. } => paused(run),
        RunEvent::RunResumed { .. } => "the run goes on".to_owned(),
        RunEvent::StepSkipped { step, .. } => format!("step {step} is not carried out"),
        RunEvent::StepRetried { step, .. } => format!("step {step} is tried again, its attempts counted anew"),
        RunEvent::CapReread { dimension, cap, .. } => match cap {
            Some(cap) => format!("the run may spend {cap} of {dimension} from now on"),
            None => format!("the run may spend {dimension} without a cap from now on"),
        },
        RunEvent::RunCompleted { .. } => "the run completes".to_owned(),
        RunEvent::RunCancelled { .. } => "the run is cancelled".to_owned(),
        RunEvent::RunFailed { .. } => "the run fails".to_owned(),
        RunEvent::UndoBegun { targets, .. } => format!("the undo of {} begins", sentences::count(targets.len(), "thing")),
        RunEvent::UndoSettled { .. } => return None,
        RunEvent::ParticipantsReported { participants, .. } => {
            format!("{} told of", sentences::is_or_are(participants.len(), "participant"))
        }
        RunEvent::ResultsPublished { places, .. } => {
            format!("the result is published: {}", sentences::count(places.len(), "place"))
        }
        RunEvent::GameRestarted { module, .. } => format!("the game of {module} has started anew"),
        RunEvent::HoldingsReconciled { lost, returned, .. } => {
            let (lost, returned) = (sentences::count(lost.len(), "thing"), sentences::count(returned.len(), "thing"));
            format!("{lost} had vanished, and {returned} came back")
        }
        RunEvent::CleanupRequested { .. } => "the teardown begins anew".to_owned(),
        RunEvent::CleanupCompleted { .. } => "everything is put back".to_owned(),
        RunEvent::CleanupStopped { unresolved, .. } => format!("{unresolved} of what it held is left for a person"),
    })
}

fn paused(run: &Run) -> String {
    match run.live_claims().next() {
        Some((step, _)) => format!("the run pauses once step {} has answered; nothing follows it", step.key),
        None => "the run pauses: nothing follows until somebody resumes it".to_owned(),
    }
}

fn claimed(run: &Run, step: &str, draws: &BTreeMap<String, u64>) -> String {
    let summary = run.planned(step).map_or(step, |planned| planned.summary.as_str());
    let spent = if draws.is_empty() { String::new() } else { format!("; it draws {}", sentences::draws(draws)) };
    format!("step {step} is dispatched: {summary}{spent}")
}

fn of_the_end(before: &Run, after: &Run) -> Vec<String> {
    let mut said = Vec::new();
    let dispatching: Vec<&str> = after.live_claims().map(|(step, _)| step.key.as_str()).collect();
    let open = |key: &str| before.step(key).is_some_and(|step| !step.status.terminal());
    let dropped = after.steps.iter().filter(|step| step.status == StepStatus::Cancelled && open(&step.key)).count();
    if dropped > 0 {
        said.push(format!("{} not carried out or confirmed", sentences::is_or_are(dropped, "step")));
    }
    for step in dispatching {
        let then = if after.cleanup_wanted { "what it brings is taken back" } else { "what it brings is left in place" };
        said.push(format!("step {step} is being carried out at this moment: its answer is waited for, and {then}"));
    }
    said.extend(after.unresolved().map(|held| of_holding(held, after.cleanup_wanted)));
    said
}

fn of_holding(held: &Holding, cleanup: bool) -> String {
    if held.target.is_placeholder() {
        let becomes = if cleanup { "is taken back by its key" } else { "is left in place" };
        return format!("whatever step {} has made {becomes}", held.step);
    }
    let name = held.target.to_string();
    match (cleanup, &held.baseline, &held.applied) {
        (true, Some(baseline), Some(applied)) => format!("{name} goes back from {applied} to {baseline}"),
        (true, ..) => format!("{name} is taken back"),
        (false, ..) => format!("{name} is left as it is"),
    }
}
