//! What a run set out to do: its plan as it was pinned, and how far each step has come.

use std::collections::BTreeMap;

use leasehold_aggregates::plan::OnFailure;
use leasehold_aggregates::run::{PlannedGate, PlannedPhase, PlannedStep, Run, StepStatus};
use leasehold_module::{Promise, Reversible, Risk};
use serde::Serialize;
use serde_json::{Map, Value};

/// A phase of the pinned plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhaseOfPlan {
    pub key: String,
    pub label: String,
    /// Seconds from its entry to its gate; absent: its steps alone hold it.
    pub after_seconds: Option<u64>,
    /// The signals that it waits for, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<String>,
}

/// A step of the pinned plan, and how it stood at the end of the story.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StepAtEnd {
    pub key: String,
    pub phase: String,
    pub action: String,
    pub action_version: u32,
    /// Whose action it is, or whose value it borrows.
    pub module: String,
    pub summary: String,
    pub params: Map<String, Value>,
    pub risk: Risk,
    pub reversible: Reversible,
    pub promise: Promise,
    /// Milliseconds that one attempt may take.
    pub budget_ms: u64,
    pub cost: BTreeMap<String, u64>,
    pub on_failure: OnFailure,
    /// For how long its success holds what follows, by its author.
    pub hold_seconds: Option<u64>,
    /// By its author it is done only when a person says so.
    pub awaits_person: bool,
    pub lease: Option<LeaseOfStep>,
    pub status: StepStatus,
    pub attempts: u32,
}

/// The value that a step borrows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeaseOfStep {
    pub id: String,
    pub value: String,
    pub hold_seconds: u64,
}

pub(super) fn phases(run: &Run) -> Vec<PhaseOfPlan> {
    let phases = run.plan().map(|plan| plan.phases.as_slice()).unwrap_or_default();
    let of = |phase: &PlannedPhase| PhaseOfPlan {
        key: phase.key.clone(),
        label: phase.label.clone(),
        after_seconds: phase.after_seconds,
        gate: phase.gate.as_ref().map(PlannedGate::words),
    };
    phases.iter().map(of).collect()
}

pub(super) fn steps(run: &Run) -> Vec<StepAtEnd> {
    let Some(plan) = run.plan() else { return Vec::new() };
    let planned = plan.phases.iter().flat_map(|phase| phase.steps.iter().map(move |step| (phase, step)));
    // The fold keeps the steps in the plan's order.
    planned.zip(&run.steps).map(|((phase, planned), state)| at_end(phase, planned, state.status, state.attempts)).collect()
}

fn at_end(phase: &PlannedPhase, planned: &PlannedStep, status: StepStatus, attempts: u32) -> StepAtEnd {
    let lease = planned.lease.as_ref().map(|lease| LeaseOfStep {
        id: lease.id.clone(),
        value: lease.value.clone(),
        hold_seconds: lease.hold_seconds,
    });
    StepAtEnd {
        key: planned.key.clone(),
        phase: phase.key.clone(),
        action: planned.action.clone(),
        action_version: planned.action_version,
        module: planned.module.clone(),
        summary: planned.summary.clone(),
        params: planned.params.clone(),
        risk: planned.risk,
        reversible: planned.reversible,
        promise: planned.promise,
        budget_ms: planned.budget_ms,
        cost: planned.cost.clone(),
        on_failure: planned.on_failure,
        hold_seconds: planned.hold_seconds,
        awaits_person: planned.awaits_person,
        lease,
        status,
        attempts,
    }
}
