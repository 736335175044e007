//! What follows by itself from where a run stands: the next claim, the next phase, the end.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use leasehold_module::{Outside, Promise};

use super::command::Facts;
use super::event::{RunEvent, SatisfiedBy};
use super::gate::time_out;
use super::plan::{OWN_MODULE, PlannedLease, PlannedStep};
use super::settle::KEY_MEMORY_PASSED;
use super::span::seconds;
use super::status::{RunStatus, StepStatus};
use super::{Run, StepState};
use crate::authorise::{Asker, Denied, Invocation, may_invoke};
use crate::decide::Decide;
use crate::keys::perform_key;
use crate::plan::OnFailure;
use crate::target::Target;

/// `events`, and all that follows from them at `at`.
pub(super) fn followed(run: &Run, mut events: Vec<RunEvent>, at: DateTime<Utc>, facts: &Facts) -> Vec<RunEvent> {
    let mut after = run.clone();
    for event in &events {
        after.apply(event.clone());
    }
    events.extend(proceed(&after, at, facts));
    events
}

/// Everything that can happen now without anybody else: claims the next step, refuses or fails one that may not be
/// dispatched, opens a gate that is due, enters the next phase, completes the run.
pub(super) fn proceed(run: &Run, at: DateTime<Utc>, facts: &Facts) -> Vec<RunEvent> {
    let mut run = run.clone();
    let mut events = Vec::new();
    while run.status == RunStatus::Running {
        let next = next(&run, at, facts);
        if next.is_empty() {
            break;
        }
        for event in next {
            run.apply(event.clone());
            events.push(event);
        }
    }
    events
}

fn next(run: &Run, at: DateTime<Utc>, facts: &Facts) -> Vec<RunEvent> {
    let Some(phase) = run.phases.len().checked_sub(1) else { return enter(run, 0, at) };
    let timed_out = time_out(run, at);
    if !timed_out.is_empty() {
        return timed_out;
    }
    match run.open_step() {
        Some(step) if step.status == StepStatus::Running || ahead(step.not_before, at) || ahead(run.held_until, at) => Vec::new(),
        Some(step) => attempt(run, step, at, facts),
        None => leave(run, phase, at),
    }
}

/// The instant for which a run waits that can do nothing more now: a retry, a hold or its gate. `None` while it waits
/// for an answer or a person, and before and after its life.
pub(super) fn waits_until(run: &Run) -> Option<DateTime<Utc>> {
    let phase = run.phases.len().checked_sub(1).filter(|_| run.status == RunStatus::Running)?;
    match (run.open_step(), &run.phases[phase]) {
        (Some(step), _) if step.status == StepStatus::Running => None,
        (Some(step), _) => step.not_before.max(run.held_until),
        (None, state) if waits_for_signals(run, phase) => state.gate_due.filter(|_| !state.timed_out),
        (None, state) if state.satisfied_at.is_none() && state.gate_due.is_some() => state.gate_due,
        (None, _) => run.held_until,
    }
}

fn enter(run: &Run, index: usize, at: DateTime<Utc>) -> Vec<RunEvent> {
    let Some(phase) = run.plan().and_then(|plan| plan.phases.get(index)) else {
        return if ahead(run.held_until, at) { Vec::new() } else { vec![RunEvent::RunCompleted { at }] };
    };
    let given_up = phase.gate.as_ref().and_then(|gate| gate.timeout).map(|timeout| timeout.seconds);
    let gate_due = phase.after_seconds.or(given_up).map(|after| at + seconds(after));
    vec![RunEvent::PhaseEntered { at, phase: phase.key.clone(), gate_due }]
}

fn ahead(instant: Option<DateTime<Utc>>, at: DateTime<Utc>) -> bool {
    instant.is_some_and(|instant| instant > at)
}

fn leave(run: &Run, phase: usize, at: DateTime<Utc>) -> Vec<RunEvent> {
    let Some(state) = run.phases.get(phase) else { return Vec::new() };
    match (state.gate_due, state.satisfied_at) {
        _ if waits_for_signals(run, phase) => Vec::new(),
        (Some(due), None) if due > at => Vec::new(),
        (Some(_), None) => {
            vec![RunEvent::GateSatisfied { at, phase: state.key.clone(), by: SatisfiedBy::Elapsed, note: None }]
        }
        _ => enter(run, phase + 1, at),
    }
}

/// Whether the phase has a gate that signals open, and it is shut.
fn waits_for_signals(run: &Run, phase: usize) -> bool {
    let shut = run.phases.get(phase).is_some_and(|state| state.satisfied_at.is_none());
    shut && run.plan().and_then(|plan| plan.phases.get(phase)).is_some_and(|planned| planned.gate.is_some())
}

/// Claims the step, or says why it cannot be dispatched and what becomes of the run.
fn attempt(run: &Run, state: &StepState, at: DateTime<Utc>, facts: &Facts) -> Vec<RunEvent> {
    let (Some(planned), Some(scheduled)) = (run.planned(&state.key), run.scheduled.as_ref()) else { return Vec::new() };
    // What is stopped is not refused: it waits, until the run is paused or cancelled.
    if facts.stopped.is_some() {
        return Vec::new();
    }
    if let Some((code, detail, disposition)) = cannot_be_sent(state, planned, at, facts) {
        let failed = RunEvent::StepFailed {
            at,
            step: state.key.clone(),
            claim: None,
            code: code.into(),
            unknown: state.maybe_applied,
            disposition,
            detail: Some(detail),
            words: None,
        };
        return dispose(run, failed, &state.key, disposition, at);
    }
    if let Some(why) = denied(run, state, planned, facts) {
        let disposition = planned.on_failure;
        let refused = RunEvent::StepRefused { at, step: state.key.clone(), why, disposition };
        return dispose(run, refused, &state.key, disposition, at);
    }
    let key = perform_key(&scheduled.run_id, &state.key);
    let target = planned.target(&scheduled.scope, &key);
    vec![RunEvent::StepClaimed {
        at,
        step: state.key.clone(),
        attempt: state.attempts + 1,
        expires_at: at + longest(planned, facts.limits.claim_margin_seconds),
        key,
        draws: unpaid(state, planned),
        target,
    }]
}

/// What the step draws when it is claimed: its cost, once for life.
fn unpaid(state: &StepState, planned: &PlannedStep) -> BTreeMap<String, u64> {
    if state.first_claimed_at.is_some() { BTreeMap::new() } else { planned.cost.clone() }
}

/// Why the deployment, or another holder of what it wants, keeps the step from being dispatched.
pub(super) fn denied(run: &Run, state: &StepState, planned: &PlannedStep, facts: &Facts) -> Option<Denied> {
    let scheduled = run.scheduled.as_ref()?;
    let action = facts.actions.get(&planned.action)?;
    let asked = Invocation {
        asker: Asker::Runner,
        action,
        cost: &unpaid(state, planned),
        meters: &run.budget,
        day: &facts.day,
        stopped: facts.stopped,
        rehearsal: scheduled.rehearsal,
    };
    if let Err(why) = may_invoke(&asked) {
        return Some(why);
    }
    if let Some(Outside { param, detail, .. }) = planned.lease.as_ref().and_then(|lease| outside(lease, facts)) {
        let (action, lease) = (action.label.clone(), planned.lease.as_ref().map(|lease| lease.id.clone()).unwrap_or_default());
        return Some(Denied::OutOfBounds { action, lease, param: param.to_owned(), detail });
    }
    let target = planned.target(&scheduled.scope, &perform_key(&scheduled.run_id, &state.key))?;
    let itself = || held_by_another_step(run, &target, &state.key).then_some(&scheduled.run_id);
    let holder = facts.held.get(&target).or_else(itself)?;
    Some(Denied::Held { target: target.to_string(), holder: holder.clone() })
}

/// What the declaration in force now does not admit of what was planned to be borrowed.
fn outside(planned: &PlannedLease, facts: &Facts) -> Option<Outside> {
    let lease = facts.leases.get(&planned.id)?;
    let minutes = planned.hold_seconds.div_ceil(60);
    lease.admits(&planned.value.as_str().into()).and_then(|()| lease.admits_minutes(&minutes.into())).err()
}

/// How long a claim on this step lasts: what one attempt may take, and the margin.
fn longest(planned: &PlannedStep, margin_seconds: u64) -> TimeDelta {
    longest_attempt(planned) + seconds(margin_seconds)
}

/// What one attempt may take: its plan's budget, an hour at most.
pub(super) fn longest_attempt(planned: &PlannedStep) -> TimeDelta {
    TimeDelta::milliseconds(i64::try_from(planned.budget_ms).unwrap_or(i64::MAX).min(3_600_000))
}

pub(super) fn held_by_another_step(run: &Run, target: &Target, step: &str) -> bool {
    run.holdings.iter().any(|held| held.target == *target && held.step != step && held.status.holds())
}

pub(super) fn cannot_be_sent(
    state: &StepState,
    planned: &PlannedStep,
    at: DateTime<Utc>,
    facts: &Facts,
) -> Option<(&'static str, String, OnFailure)> {
    let Some(action) = facts.actions.get(&planned.action) else {
        let detail = format!("no installed module offers {}; module {} is missing", planned.action, planned.module);
        return Some(("module_missing", detail, planned.on_failure));
    };
    if action.version != planned.action_version {
        let detail = format!(
            "the step was authored against version {} of {}, and version {} is installed",
            planned.action_version, planned.action, action.version
        );
        return Some(("action_version", detail, planned.on_failure));
    }
    if let Some(lease) = planned.lease.as_ref().filter(|lease| !facts.leases.contains_key(&lease.id)) {
        let detail = format!("module {} does not offer {} to be borrowed any more", planned.module, lease.id);
        return Some(("lease_missing", detail, planned.on_failure));
    }
    let since = state.first_claimed_at.map_or(TimeDelta::zero(), |first| at - first);
    // Until its claim expires the command may still be sent; and a clock that has gone back measures nothing.
    let until_sent = since + longest(planned, facts.limits.claim_margin_seconds);
    let forgotten = since < TimeDelta::zero() || until_sent >= seconds(facts.limits.key_memory_seconds);
    let a_game_remembers = planned.promise == Promise::EffectOnce && planned.module != OWN_MODULE;
    if state.maybe_applied && forgotten && a_game_remembers {
        let detail = format!(
            "an attempt {} seconds ago may have taken effect, and the game remembers keys for {} seconds; sending it again \
             could do it twice",
            since.num_seconds(),
            facts.limits.key_memory_seconds
        );
        return Some((KEY_MEMORY_PASSED, detail, OnFailure::Pause));
    }
    None
}

/// What a failed or refused step means for its run. One that a person has paused meanwhile is paused already.
pub(super) fn dispose(run: &Run, event: RunEvent, step: &str, disposition: OnFailure, at: DateTime<Utc>) -> Vec<RunEvent> {
    let step = step.to_owned();
    match disposition {
        OnFailure::Skip => vec![event],
        OnFailure::Pause if run.status == RunStatus::Paused => vec![event],
        OnFailure::Pause => vec![event, RunEvent::RunPaused { at, step: Some(step), stop: None, note: None }],
        OnFailure::Abort => vec![event, RunEvent::RunFailed { at, step }],
    }
}
