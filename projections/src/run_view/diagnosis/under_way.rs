//! A run that has begun and is not over.

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::run::{KEY_MEMORY_PASSED, Run, RunCommand, RunEvent, RunStatus, StepState, StepStatus};

use super::{Cause, CauseCode, over};
use crate::run_view::gates::GateView;
use crate::run_view::{Surroundings, steps};
use crate::sentences::{self, second};

pub(super) fn causes(run: &Run, gates: &[GateView], around: Surroundings<'_>) -> (String, Vec<Cause>) {
    let mut causes: Vec<Cause> = everything(around).into_iter().chain(stopped(run, around)).collect();
    match run.open_step() {
        Some(step) => causes.extend(at_step(run, step, around)),
        None => causes.extend(at_gate(run, gates)),
    }
    causes.extend(hold(run, around));
    let stopped = run.status == RunStatus::Paused;
    if !stopped {
        causes.extend(refused_next(run, around));
    }
    causes.extend(over::passed_over(run, around, stopped));
    (headline(run), causes)
}

fn headline(run: &Run) -> String {
    let Some(phase) = run.current_phase() else { return "The run has begun.".to_owned() };
    let label = sentences::phase_label(run, &phase.key);
    let next = run.plan().and_then(|plan| plan.phases.get(run.phases.len()));
    match (run.status, run.open_step(), next) {
        (RunStatus::Paused, ..) => format!("The run is paused in phase {label}."),
        (_, Some(step), _) => format!("Phase {label} is at step {}.", step.key),
        (_, None, Some(next)) => format!("Phase “{}” has not begun.", next.label),
        (_, None, None) => format!("Phase {label} has not ended, and with it the run."),
    }
}

/// No run goes on while everything is stopped.
fn everything(around: Surroundings<'_>) -> Option<Cause> {
    let stop = around.facts.stopped?;
    let sentence = format!("everything is stopped (stop {stop}), and no run goes on until somebody lifts it");
    Some(Cause::new(CauseCode::Stopped, sentence).remedy("lift the stop, then resume the run"))
}

/// Why it does not go on although it could.
fn stopped(run: &Run, around: Surroundings<'_>) -> Option<Cause> {
    let paused = run.paused.as_ref()?;
    let Some(step) = paused.step.as_ref().and_then(|step| run.step(step)) else {
        let gave_up = run.phases.last().is_some_and(|phase| phase.timed_out && phase.satisfied_at.is_none());
        let why = match paused.stop {
            Some(stop) => format!("stop {stop} has paused it"),
            None if gave_up => "its gate has waited as long as its author allowed".to_owned(),
            None => "a person has paused it".to_owned(),
        };
        let cause = Cause::new(CauseCode::Paused, why).since(Some(paused.at));
        return Some(cause.remedy("resume the run"));
    };
    let sentence = format!("{}; the run waits for a person", over::ended(step, around));
    let cause = Cause::new(CauseCode::StoppedAtStep, sentence).at_step(&step.key).since(Some(paused.at));
    Some(cause.remedy("retry the step, or resume the run without it, or cancel it"))
}

fn at_step(run: &Run, step: &StepState, around: Surroundings<'_>) -> Option<Cause> {
    let (key, summary) = (&step.key, run.planned(&step.key).map_or("", |planned| planned.summary.as_str()));
    if step.parked {
        let cause = Cause::new(CauseCode::WaitsForPerson, format!("step {key} waits for a person: {summary}"));
        return Some(cause.at_step(key).since(step.parked_at).remedy("confirm the step once it is done, or skip it"));
    }
    if let Some(claim) = step.claim {
        let expected = run.expected_by(step);
        let by = expected.map_or_else(String::new, |by| format!(", and is to be answered by {}", second(by)));
        let sentence =
            format!("attempt {} at step {key} ({summary}) is under way since {}{by}", step.attempts, second(claim.claimed_at));
        let cause = Cause::new(CauseCode::StepUnderWay, sentence).at_step(key).since(Some(claim.claimed_at));
        return Some(cause.until(expected));
    }
    let next = step.not_before.filter(|_| step.status == StepStatus::Pending)?;
    let why = steps::last_error(step, around.notes).map_or_else(String::new, |error| format!(": {}", error.sentence));
    let sentence =
        format!("attempt {} at step {key} brought no success{why}; the next is due at {}", step.attempts, second(next));
    Some(Cause::new(CauseCode::Retry, sentence).at_step(key).until(Some(next)).remedy("wait, or skip the step"))
}

/// The last step that was done asked what follows to wait.
fn hold(run: &Run, around: Surroundings<'_>) -> Option<Cause> {
    let until = run.held_until.filter(|until| *until > around.at || run.waits_until() == Some(*until))?;
    let holder = run.states().filter(|step| step.status == StepStatus::Done).max_by_key(|step| step.settled_at)?;
    let sentence = format!("step {} holds what follows until {}", holder.key, second(until));
    Some(Cause::new(CauseCode::Hold, sentence).at_step(&holder.key).since(holder.settled_at).until(Some(until)))
}

fn at_gate(run: &Run, gates: &[GateView]) -> Option<Cause> {
    let phase = run.current_phase()?;
    let gate = gates.iter().find(|gate| gate.phase == phase.key && gate.satisfied_by.is_none())?;
    Some(Cause {
        phase: Some(gate.phase.clone()),
        tally: gate.tally,
        needed: gate.needed,
        last_signal: gate.last_signal.clone(),
        ..Cause::new(CauseCode::Gate, gate.sentence.clone())
            .since(Some(gate.since))
            .until(phase.gate_due)
            .remedy("wait, or advance the phase past its gate")
    })
}

/// What would be refused, or could not be sent, if the run went on at the next instant for which it waits.
fn refused_next(run: &Run, around: Surroundings<'_>) -> Option<Cause> {
    let at = run.waits_until()?.max(around.at);
    let events = run.decide(RunCommand::Advance { at, facts: around.facts.clone() }).ok()?;
    events.iter().find_map(|event| {
        let (step, why) = match event {
            RunEvent::StepRefused { step, why, .. } => (step, why.to_string()),
            // What the game remembers is the deployment's number, and no view depends on one.
            RunEvent::StepFailed { step, code, detail: Some(detail), .. } if code != KEY_MEMORY_PASSED => (step, detail.clone()),
            _ => return None,
        };
        Some(Cause::new(CauseCode::NextRefused, format!("step {step} would not be carried out then: {why}")).at_step(step))
    })
}
