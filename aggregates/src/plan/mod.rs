//! The authored plan, typed: phases in order, steps in order, and what moves a phase on. It holds no condition, no
//! branch and no variable of its own; a run's plan is this one with its parameters put in.

mod seconds;
mod substitute;
mod template;

pub use substitute::{bind, substitute};
pub use template::{Template, TemplateFault};

pub(crate) use substitute::reference;
pub(crate) use template::is_name;

use leasehold_module::{ParamType, Risk};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::schedule::Schedule;

/// Most phases of one plan.
pub const MAX_PHASES: usize = 20;
/// Most steps of one plan, all phases together.
pub const MAX_STEPS: usize = 100;
/// Most signals that one gate may wait for.
pub const MAX_SIGNALS: u32 = 1_000;
/// Most parameters of one plan.
pub const MAX_PARAMS: usize = 50;

/// What one published version does, and when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Plan {
    pub schedule: Schedule,
    pub params: Vec<ParamDecl>,
    pub phases: Vec<Phase>,
}

/// A value that is chosen when a run is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ParamDecl {
    /// Unique in the plan; 1 to 64 of `a-z A-Z 0-9 _`, a letter first.
    pub name: String,
    #[serde(rename = "type")]
    pub value_type: ParamType,
    pub required: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<Value>,
}

/// Steps that are done one after another, and what must happen before the next phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Phase {
    /// Unique among the plan's phases; 1 to 64 of `a-z 0-9 _ -`.
    pub key: String,
    pub label: String,
    pub steps: Vec<Step>,
    /// Absent: the next phase follows at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advance: Option<Advance>,
}

/// One invocation of one action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Step {
    /// Unique among the steps of all phases; 1 to 64 of `a-z 0-9 _ -`.
    pub key: String,
    pub action: String,
    /// The action's version that this was authored against.
    pub action_version: u32,
    pub params: Map<String, Value>,
    /// Absent: what the action's risk calls for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_failure: Option<OnFailure>,
    /// Seconds for which its success holds what follows, into the next phase and before the end, too; spelled `5m`. Absent:
    /// it holds nothing, unless its action asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "seconds::optional")]
    #[schemars(with = "Option<String>", extend("pattern" = "^[0-9]+[smhd]$"))]
    pub hold_for: Option<u64>,
    /// Whose word it waits for once its action has succeeded. Absent: nobody's, unless its action asks for it.
    #[serde(rename = "await", default, skip_serializing_if = "Option::is_none")]
    pub awaits: Option<Awaited>,
}

/// Whose word a step waits for before it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::EnumIter, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Awaited {
    /// A person's, who confirms the step.
    Human,
}

/// What moves a phase on, told apart by its fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, rename_all = "camelCase", deny_unknown_fields)]
pub enum Advance {
    /// Time: this many seconds after the phase was entered, however long its steps take; spelled `30m`.
    After {
        #[serde(with = "seconds")]
        #[schemars(with = "String", extend("pattern" = "^[0-9]+[smhd]$"))]
        after: u64,
    },
    /// Something that happens in a game, `count` times.
    On {
        on: String,
        /// A [`Condition`](crate::condition::Condition) on what the signal carries, as it is stored; absent: any will do.
        #[serde(rename = "where", default, skip_serializing_if = "Option::is_none")]
        condition: Option<Value>,
        /// 1 to [`MAX_SIGNALS`].
        count: u32,
        /// Absent: it waits for ever.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout: Option<TimeOut>,
    },
}

/// What becomes of a gate that has waited long enough.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TimeOut {
    /// Seconds after the phase was entered; spelled `2h`.
    #[serde(with = "seconds")]
    #[schemars(with = "String", extend("pattern" = "^[0-9]+[smhd]$"))]
    pub after: u64,
    /// `skip` goes on without it, `pause` waits for a person, `abort` ends the run as failed.
    pub then: OnFailure,
}

/// What a step's failure does to its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::EnumIter, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum OnFailure {
    /// The run goes on without it.
    Skip,
    /// The run waits for a person.
    Pause,
    /// The run ends as failed, and is taken down.
    Abort,
}

/// What a failure does where the author said nothing.
pub fn default_on_failure(risk: Risk) -> OnFailure {
    match risk {
        Risk::Notify => OnFailure::Skip,
        Risk::Inspect | Risk::Change => OnFailure::Pause,
        Risk::Irreversible => OnFailure::Abort,
    }
}

impl Plan {
    /// Every step with its phase's index, in order.
    pub fn steps(&self) -> impl Iterator<Item = (usize, &Step)> {
        self.phases.iter().enumerate().flat_map(|(phase, p)| p.steps.iter().map(move |step| (phase, step)))
    }

    pub fn step(&self, key: &str) -> Option<(usize, &Step)> {
        self.steps().find(|(_, step)| step.key == key)
    }
}

impl Step {
    pub fn on_failure(&self, risk: Risk) -> OnFailure {
        self.on_failure.unwrap_or_else(|| default_on_failure(risk))
    }
}

#[cfg(test)]
mod tests;
