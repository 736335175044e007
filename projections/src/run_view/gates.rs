//! The gates of the phases entered so far: what each waits for, and what released it.

use chrono::{DateTime, Utc};
use leasehold_aggregates::run::{PhaseState, PlannedPhase, Run};
use schemars::JsonSchema;
use serde::Serialize;

use crate::sentences;

/// One gate, as an answer spells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateView {
    pub phase: String,
    /// What it waits for, in words.
    pub sentence: String,
    /// Signals counted so far; absent where it waits for time.
    pub tally: Option<u64>,
    /// Signals needed; absent where it waits for time.
    pub needed: Option<u64>,
    /// When its phase was entered.
    pub since: DateTime<Utc>,
    /// When the wait counts as stalled; absent where it waits for time, which passes.
    pub stalls_at: Option<DateTime<Utc>>,
    /// What holds the phase although the gate is open or about to be, in words.
    pub held_up: Vec<String>,
    pub last_signal: Option<LastSignal>,
    /// What opened it: `elapsed`, `condition` or `human`; absent while it is shut.
    pub satisfied_by: Option<&'static str>,
}

/// The last signal that had to do with a gate, whether or not it counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastSignal {
    pub at: DateTime<Utc>,
    pub counted: bool,
    pub why_not: Option<String>,
}

pub(super) fn gates(run: &Run) -> Vec<GateView> {
    let Some(plan) = run.plan() else { return Vec::new() };
    let entered = plan.phases.iter().zip(&run.phases).enumerate();
    entered.filter_map(|(index, (phase, state))| gate(run, index, phase, state)).collect()
}

fn gate(run: &Run, index: usize, phase: &PlannedPhase, state: &PhaseState) -> Option<GateView> {
    let due = state.gate_due?;
    let is_current = run.current_phase().is_some_and(|current| current.key == phase.key);
    let open = run.steps.iter().filter(|step| is_current && step.phase == index && !step.status.terminal());
    Some(GateView {
        phase: phase.key.clone(),
        sentence: sentences::time_gate(&phase.label, phase.after_seconds.unwrap_or(0), due),
        tally: None,
        needed: None,
        since: state.entered_at,
        stalls_at: None,
        held_up: open.map(sentences::holds_its_phase).collect(),
        last_signal: None,
        satisfied_by: state.satisfied_by.map(Into::into),
    })
}
