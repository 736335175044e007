//! What a run carries with it: the whole substituted plan, with each action's version, promise and price, so that one
//! stream tells the story whatever becomes of the registry.

use std::collections::BTreeMap;

use leasehold_module::{ParamType, Promise, Reversible, Risk};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::gate::PlannedGate;
use crate::event::given;
use crate::plan::OnFailure;
use crate::target::Target;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunPlan {
    pub phases: Vec<PlannedPhase>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedPhase {
    pub key: String,
    pub label: String,
    pub steps: Vec<PlannedStep>,
    /// Seconds from the phase's entry; `None`: no clock holds it.
    #[serde(deserialize_with = "given")]
    pub after_seconds: Option<u64>,
    /// The signals that hold it, if any do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<PlannedGate>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedStep {
    pub key: String,
    pub action: String,
    pub action_version: u32,
    /// The module whose action it is, or whose value it borrows.
    pub module: String,
    pub summary: String,
    pub params: Map<String, Value>,
    pub risk: Risk,
    pub reversible: Reversible,
    pub promise: Promise,
    /// Milliseconds one attempt may take.
    pub budget_ms: u64,
    pub cost: BTreeMap<String, u64>,
    pub on_failure: OnFailure,
    /// For how long its success holds what follows, by its author's word.
    #[serde(deserialize_with = "given")]
    pub hold_seconds: Option<u64>,
    /// By its author's word it is done only when a person says so.
    pub awaits_person: bool,
    /// Set where the step borrows a value.
    #[serde(deserialize_with = "given")]
    pub lease: Option<PlannedLease>,
}

/// The module of the engine's own actions. What they do is in the log as soon as it is done, so no game has to remember it.
pub const OWN_MODULE: &str = "core";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedLease {
    pub id: String,
    pub value_type: ParamType,
    /// Text, compared as a value.
    pub value: String,
    pub hold_seconds: u64,
}

impl RunPlan {
    /// Every step with the index of its phase, in order.
    pub fn steps(&self) -> impl Iterator<Item = (usize, &PlannedStep)> {
        self.phases.iter().enumerate().flat_map(|(index, phase)| phase.steps.iter().map(move |step| (index, step)))
    }

    pub fn step(&self, key: &str) -> Option<&PlannedStep> {
        self.steps().find_map(|(_, step)| (step.key == key).then_some(step))
    }
}

impl PlannedPhase {
    /// Whether more than its steps holds it.
    pub fn has_gate(&self) -> bool {
        self.after_seconds.is_some() || self.gate.is_some()
    }
}

impl PlannedStep {
    /// What the step takes before it is dispatched: the value it borrows, or a placeholder for what it will make.
    /// `None` for a step that leaves nothing behind.
    pub fn target(&self, scope: &str, perform_key: &str) -> Option<Target> {
        match (&self.lease, self.reversible) {
            (Some(lease), _) => Some(Target::lease(&self.module, scope, &lease.id)),
            (None, Reversible::Ledger) => Some(Target::placeholder(&self.module, scope, perform_key)),
            (None, _) => None,
        }
    }
}
