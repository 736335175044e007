//! The gates of the phases entered so far: what each waits for, and what released it.

use chrono::{DateTime, TimeDelta, Utc};
use leasehold_aggregates::run::{Facts, PhaseState, PlannedGate, PlannedPhase, Run, SatisfiedBy};
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
    /// What opened it: `elapsed`, `condition`, `timed_out` or `human`; absent while it is shut.
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

pub(super) fn gates(run: &Run, facts: &Facts) -> Vec<GateView> {
    let Some(plan) = run.plan() else { return Vec::new() };
    let entered = plan.phases.iter().zip(&run.phases).enumerate();
    entered.filter_map(|(index, (phase, state))| gate(run, index, phase, state, facts)).collect()
}

fn gate(run: &Run, index: usize, phase: &PlannedPhase, state: &PhaseState, facts: &Facts) -> Option<GateView> {
    let is_current = run.current_phase().is_some_and(|current| current.key == phase.key);
    let open = run.states().filter(|step| is_current && step.phase == index && !step.status.terminal());
    let mut view = GateView {
        phase: phase.key.clone(),
        sentence: String::new(),
        tally: None,
        needed: None,
        since: state.entered_at,
        stalls_at: None,
        held_up: open.map(sentences::holds_its_phase).collect(),
        last_signal: None,
        satisfied_by: state.satisfied_at.map(|_| state.satisfied_by.unwrap_or(SatisfiedBy::Elapsed).into()),
    };
    match (&phase.gate, state.gate_due) {
        (Some(gate), due) => {
            let waits = is_current && state.satisfied_at.is_none();
            let dormant =
                (waits && !facts.triggers.contains(&gate.trigger)).then(|| sentences::dormant(&gate.trigger, &gate.module));
            view.held_up.extend(dormant);
            Some(of_signals(view, gate, state, due))
        }
        (None, Some(due)) => {
            Some(GateView { sentence: sentences::time_gate(&phase.label, phase.after_seconds.unwrap_or(0), due), ..view })
        }
        (None, None) => None,
    }
}

fn of_signals(mut view: GateView, gate: &PlannedGate, state: &PhaseState, due: Option<DateTime<Utc>>) -> GateView {
    let given_up = gate.timeout.zip(due).filter(|_| !state.timed_out);
    view.sentence = match given_up {
        Some((timeout, due)) => {
            format!("{}; from {} on {}", gate.words(), sentences::second(due), sentences::time_out(timeout.then))
        }
        None => gate.words(),
    };
    view.tally = Some(state.tally);
    view.needed = Some(u64::from(gate.needed));
    view.stalls_at = Some(state.entered_at + TimeDelta::seconds(i64::try_from(gate.stall_seconds).unwrap_or(i64::MAX / 1_000)));
    view.last_signal =
        state.last_signal.as_ref().map(|seen| LastSignal { at: seen.at, counted: seen.counted, why_not: seen.why_not.clone() });
    view
}
