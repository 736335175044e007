//! The commands of a game that declares itself by a manifest: its own actions, by their ids, in words that the wire does not know.

use super::Stamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// `act.perform`: one action of the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Act {
    /// The action's id, as the manifest spells it.
    pub action: String,
    /// Its parameters, of the types that the manifest declares.
    pub params: Map<String, Value>,
    /// The most that it may tell anything to: set in a rehearsal. Nobody else is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ceiling: Option<String>,
    #[serde(flatten)]
    pub stamp: Stamp,
}

/// `act.verify`: would the game take it? A command of its own, so that no game acts on a field that it passes over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActVerify {
    pub action: String,
    pub params: Map<String, Value>,
}

/// `act.ok`: it happened. Everything may be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Acted {
    /// What the run owns from now on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<Made>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub participants: Vec<TookPart>,
    /// What follows waits this many seconds, 1 to 604,800.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold_for: Option<u64>,
    /// `human`: what follows waits for a person.
    #[serde(rename = "await", skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<WaitsFor>,
    /// The game takes all of `resources` away by itself after so many milliseconds, 1 to 604,800,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub for_ms: Option<u64>,
    /// What the game says about it to staff; at most 4,000 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// Whom a finished action waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitsFor {
    Human,
}

/// Something in the world, in the game's own words: a kind, and which of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Thing {
    /// 1 to 64 characters.
    pub kind: String,
    /// 1 to 256 characters; never given to another thing of this kind.
    #[serde(rename = "ref")]
    pub reference: String,
}

/// A thing that a run owns, and whom it was for where it was for somebody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Made {
    #[serde(flatten)]
    pub thing: Thing,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member_key: Option<String>,
}

/// Somebody who took part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TookPart {
    pub member_key: String,
    /// A decimal as text, at most four digits behind its point.
    pub score: String,
    /// Milliseconds since 1970, by the game's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joined_ms: Option<i64>,
    /// What the score is made of.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
}

/// `act.revert`: takes back what an action made, by name, or whatever its key made. An undo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActRevert {
    pub action: String,
    /// At most 1000; empty where `forKey` is given.
    pub resources: Vec<Thing>,
    /// The `idempotencyKey` of the command that made them. Nothing there is a success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub for_key: Option<String>,
    #[serde(flatten)]
    pub stamp: Stamp,
}

/// `act.revert.ok`: everything asked for, or found by key, in exactly one of three lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ActReverted {
    pub removed: Vec<Thing>,
    /// Were not there any more.
    pub gone: Vec<Thing>,
    /// Are there and belong to nobody or to another run; they stay.
    pub refused: Vec<Thing>,
}

/// `act.reconcile`: which of these are still there? Changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActReconcile {
    pub action: String,
    pub run_id: String,
    /// At most 1000.
    pub resources: Vec<Thing>,
}

/// `act.reconcile.ok`. What is in neither list is not known: not loaded, or the game cannot say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ActReconciled {
    pub present: Vec<Thing>,
    pub gone: Vec<Thing>,
}

/// `options.list`: the choices of one source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionsAsked {
    /// The source's id, as the manifest spells it.
    pub source: String,
    /// Search words, for a source that is searchable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
}

/// `options.ok`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionsTold {
    /// At most 1000 are read.
    pub choices: Vec<ChoiceTold>,
}

/// One choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChoiceTold {
    pub value: String,
    pub label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}
