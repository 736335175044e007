//! What people decide about a run that is under way: the commands behind the controls. None of them changes a plan.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::command::{Facts, Retry};
use super::event::{RunEvent, SatisfiedBy};
use super::proceed::{cannot_be_sent, denied, followed};
use super::refusal::{Decided, RunRefusal};
use super::status::{RunStatus, StepStatus};
use super::{Run, StepState};
use crate::account::Role;
use crate::authorise::{Asker, Meter};
use crate::decide::Decide;
use crate::note::NoteRef;

/// Between two steps: what is being dispatched is settled, and nothing follows it.
pub(super) fn pause(run: &Run, at: DateTime<Utc>, stop: Option<Uuid>, note: Option<NoteRef>) -> Decided {
    if run.status == RunStatus::Running {
        Ok(vec![RunEvent::RunPaused { at, step: None, stop, note }])
    } else {
        Err(RunRefusal::NotNow { verb: "pause", status: run.status })
    }
}

/// A step that has failed stays as it is: the run goes on behind it.
pub(super) fn resume(run: &Run, at: DateTime<Utc>, note: Option<NoteRef>, facts: &Facts) -> Decided {
    if run.status == RunStatus::Paused {
        stopped(facts)?;
        Ok(followed(run, vec![RunEvent::RunResumed { at, note }], at, facts))
    } else {
        Err(RunRefusal::NotNow { verb: "resume", status: run.status })
    }
}

/// Opens the gate that the phase waits at, and nothing else: what follows is the runner's, as behind any other gate.
pub(super) fn advance(run: &Run, at: DateTime<Utc>, note: Option<NoteRef>) -> Decided {
    if run.status != RunStatus::Running {
        return Err(RunRefusal::NotNow { verb: "advance", status: run.status });
    }
    let state = run.phases.last().ok_or(RunRefusal::NotNow { verb: "advance", status: run.status })?;
    let phase = state.key.clone();
    if !run.has_gate(&phase) {
        return Err(RunRefusal::NoGate { phase });
    }
    if let Some(step) = run.open_step() {
        return Err(RunRefusal::HeldByStep { phase, step: step.key.clone() });
    }
    if state.satisfied_at.is_some() {
        return Err(RunRefusal::GateOpen { phase });
    }
    Ok(vec![RunEvent::GateSatisfied { at, phase, by: SatisfiedBy::Human, note }])
}

/// The direction that leaves the world changed takes an admin; the engine itself may go either way.
pub(super) fn cancel(
    run: &Run,
    at: DateTime<Utc>,
    by: Asker,
    cleanup: bool,
    stop: Option<Uuid>,
    note: Option<NoteRef>,
) -> Decided {
    if let Asker::Person(role) = by
        && !cleanup
        && role != Role::Admin
    {
        return Err(RunRefusal::AdminsOnly { role });
    }
    if run.status.terminal() {
        return Err(RunRefusal::NotNow { verb: "cancel", status: run.status });
    }
    Ok(vec![RunEvent::RunCancelled { at, cleanup, stop, note }])
}

pub(super) fn confirm(run: &Run, at: DateTime<Utc>, step: String, note: Option<NoteRef>, facts: &Facts) -> Decided {
    let state = step_of(run, &step)?;
    if run.status.terminal() {
        return Err(RunRefusal::NotNow { verb: "confirm a step of", status: run.status });
    }
    if !state.parked || state.status != StepStatus::Running {
        return Err(RunRefusal::NotParked { step, is: state.status.to_string() });
    }
    Ok(followed(run, vec![RunEvent::StepConfirmed { at, step, note }], at, facts))
}

/// Nobody carries it out. What is being dispatched cannot be called back, and what has failed is passed over anyway.
pub(super) fn skip(run: &Run, at: DateTime<Utc>, step: String, note: Option<NoteRef>, facts: &Facts) -> Decided {
    let state = step_of(run, &step)?;
    if !matches!(run.status, RunStatus::Running | RunStatus::Paused) {
        return Err(RunRefusal::NotNow { verb: "skip a step of", status: run.status });
    }
    match state.status {
        StepStatus::Pending => {}
        StepStatus::Running if state.parked => {}
        StepStatus::Running => return Err(RunRefusal::BeingDispatched { verb: "skip", step }),
        is => return Err(RunRefusal::StepNotNow { verb: "skip", step, is }),
    }
    Ok(followed(run, vec![RunEvent::StepSkipped { at, step, note }], at, facts))
}

/// Dispatches the step at which a paused run has stopped once more, and resumes the run. It pays nothing that it has paid
/// already, and its attempts are counted anew. What would only be refused again is refused here, and nothing happens.
pub(super) fn retry(run: &Run, retry: Retry) -> Decided {
    let Retry { at, step, note, facts, caps } = retry;
    let state = step_of(run, &step)?;
    if run.status != RunStatus::Paused {
        return Err(RunRefusal::NotNow { verb: "retry a step of", status: run.status });
    }
    match state.status {
        StepStatus::Failed | StepStatus::Refused => {}
        StepStatus::Running if !state.parked => return Err(RunRefusal::BeingDispatched { verb: "retry", step }),
        is => return Err(RunRefusal::StepNotNow { verb: "retry", step, is }),
    }
    stopped(&facts)?;
    let furthest = run.furthest_step().map(|furthest| furthest.key.clone()).unwrap_or_default();
    if furthest != step {
        return Err(RunRefusal::PassedBy { step, furthest });
    }
    let mut events = reread(run, at, state, caps.unwrap_or_default());
    events.extend([RunEvent::StepRetried { at, step: step.clone(), note }, RunEvent::RunResumed { at, note: None }]);
    let mut after = run.clone();
    for event in &events {
        after.apply(event.clone());
    }
    let (Some(again), Some(planned)) = (after.step(&step), after.planned(&step)) else {
        return Err(RunRefusal::NoSuchStep(step));
    };
    if let Some((_, detail, _)) = cannot_be_sent(again, planned, at, &facts) {
        return Err(RunRefusal::CannotBeSent { step, detail });
    }
    if let Some(why) = denied(&after, again, planned, &facts) {
        return Err(RunRefusal::StillDenied { step, why: Box::new(why) });
    }
    Ok(followed(run, events, at, &facts))
}

/// The caps that an admin's retry lets the step be judged by: those of its own dimensions, where the switches give others
/// now than the run was given.
fn reread(run: &Run, at: DateTime<Utc>, state: &StepState, now: Vec<Meter>) -> Vec<RunEvent> {
    let Some(planned) = run.planned(&state.key) else { return Vec::new() };
    let differs = |meter: &Meter| {
        planned.cost.contains_key(&meter.dimension)
            && run.budget.iter().any(|given| given.dimension == meter.dimension && given.cap != meter.cap)
    };
    let moved = |Meter { dimension, cap, cap_from, .. }| RunEvent::CapReread { at, dimension, cap, cap_from };
    now.into_iter().filter(differs).map(moved).collect()
}

/// Nothing is set going while everything is stopped.
fn stopped(facts: &Facts) -> Result<(), RunRefusal> {
    facts.stopped.map_or(Ok(()), |stop| Err(RunRefusal::Stopped { stop }))
}

fn step_of<'a>(run: &'a Run, step: &str) -> Result<&'a StepState, RunRefusal> {
    run.step(step).ok_or_else(|| RunRefusal::NoSuchStep(step.to_owned()))
}
