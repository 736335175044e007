//! Declarations: what a module says exists, what it costs and what it needs.

use serde::{Deserialize, Serialize};

use crate::{Audience, CostTerm, Param, ParamType};

/// Everything one module offers. Every list may be empty: each entry adds something an author can reach for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Manifest {
    /// The module's id: lowercase letters, digits and dashes, at most 32. Every id below starts with it and a dot.
    pub id: String,
    /// Shown to people beside the module's actions.
    pub label: String,
    /// Rises with every change of the manifest.
    pub version: u32,
    #[serde(default)]
    pub actions: Vec<Action>,
    #[serde(default)]
    pub budgets: Vec<Budget>,
    #[serde(default)]
    pub leases: Vec<Lease>,
    #[serde(default)]
    pub option_sources: Vec<OptionSource>,
    #[serde(default)]
    pub triggers: Vec<Trigger>,
}

/// How much an action may change: four closed values that belong to the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Tells somebody something. On by default.
    Notify,
    /// Reads state, writes nothing. On by default.
    Inspect,
    /// Changes the world and can be undone. Off until an admin turns it on.
    Change,
    /// Changes the world for good. Off until an admin turns it on.
    Irreversible,
}

impl Risk {
    /// Whether an action of this class writes to the world, and so is off by default and for admins only.
    pub fn changes_the_world(self) -> bool {
        matches!(self, Self::Change | Self::Irreversible)
    }
}

/// How an action's effect is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reversible {
    /// It cannot be.
    None,
    /// It ends by itself.
    #[serde(rename = "self")]
    Itself,
    /// Through `revert`, from the ledger.
    Ledger,
    /// Through a lease's `restore`.
    Override,
}

/// What an action promises when its answer is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Promise {
    /// The game keys it: a repeat with the same key answers the first result.
    EffectOnce,
    /// Unknown if the owner dies in between: shown to a person, never silently retried.
    AtMostOnce,
    /// A repeat may do it again, and that is harmless.
    AtLeastOnce,
}

/// One typed verb.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Action {
    pub id: String,
    pub label: String,
    pub description: String,
    /// One line for the run console, with `{param}` placeholders.
    pub summary: String,
    pub risk: Risk,
    pub reversible: Reversible,
    pub promise: Promise,
    /// Rises when a parameter changes meaning; a plan pins it.
    pub version: u32,
    /// Milliseconds one attempt may take, 1 to 3,600,000. Must exceed the time-out of whatever the action talks to.
    pub budget_ms: u64,
    #[serde(default)]
    pub cost: Vec<CostTerm>,
    #[serde(default)]
    pub params: Vec<Param>,
    /// Whom it tells something, if it tells anybody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tells: Option<Audience>,
}

/// What a dimension is called; the engine holds the numbers and never interprets the word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Budget {
    pub id: String,
    pub label: String,
    /// A display word, e.g. `count` or `minutes`.
    pub unit: String,
}

/// Whom a changed value reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reaches {
    Everyone,
    NewJoins,
}

/// A value that can be borrowed until a deadline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Lease {
    pub id: String,
    pub label: String,
    #[serde(rename = "type")]
    pub value_type: ParamType,
    /// Inclusive, as text; required for `int` and `float`.
    #[serde(default)]
    pub min: Option<String>,
    #[serde(default)]
    pub max: Option<String>,
    /// Milliseconds; a longer hold is refused at save and at dispatch.
    pub max_duration_ms: u64,
    pub reaches: Reaches,
    /// Milliseconds one read, apply or restore may take.
    pub budget_ms: u64,
    /// Set where many alike have such a value: then a plan says which of them is meant, as `ID@OBJECT`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<LeaseObject>,
}

/// What a lease of many alike lends a value of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct LeaseObject {
    /// What is to be named, in the game's own words.
    pub label: String,
    pub example: String,
}

/// A list of choices for a parameter, answered by the module.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct OptionSource {
    pub id: String,
    pub label: String,
    #[serde(default)]
    pub searchable: bool,
}

/// Something that happens in a game and that a gate may wait for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Trigger {
    pub id: String,
    pub label: String,
    /// "waiting for …", in the game's own words.
    pub awaiting: String,
    #[serde(default)]
    pub fields: Vec<TriggerField>,
}

/// One typed variable of a trigger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TriggerField {
    pub name: String,
    #[serde(rename = "type")]
    pub value_type: ParamType,
    pub example: serde_json::Value,
}

impl TriggerField {
    /// Checks that a value is of this variable's type; the reason where it is not.
    pub fn check(&self, value: &serde_json::Value) -> Result<(), String> {
        let of_type = Param {
            name: self.name.clone(),
            value_type: self.value_type,
            required: false,
            example: serde_json::Value::Null,
            source: None,
            min: None,
            max: None,
            max_length: None,
            any_scalar: false,
        };
        of_type.check(value).map_err(|fault| fault.detail)
    }
}

/// Why a manifest, or one entry of it, is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{entry}: {reason}")]
pub struct ManifestFault {
    pub entry: String,
    pub reason: String,
}

impl Manifest {
    pub fn action(&self, id: &str) -> Option<&Action> {
        self.actions.iter().find(|action| action.id == id)
    }

    /// The lease that a plan names so: its id, and behind an `@` the object where it is of many alike.
    pub fn lease(&self, named: &str) -> Option<&Lease> {
        self.leases.iter().find(|lease| lease.is_named(named))
    }
}
