//! Conditions: what must hold of the variables that a trigger carries. A closed grammar of twelve comparisons with *and*,
//! *or* and *not* around them, five levels deep at most.
//!
//! A condition is read strictly ([`Condition::read`]), typed against the trigger's declaration at save
//! ([`Condition::check`]), judged on each signal ([`Condition::judge`]), and put into words by one renderer
//! ([`Condition::words`]), which authoring, gates and diagnosis share.

mod check;
mod compare;
mod judge;
mod read;
#[cfg(test)]
mod tests;
mod words;

pub use compare::{Comparison, Operand};
pub use judge::Types;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Most levels: a comparison is one, each *and*, *or* and *not* around it another.
pub const MAX_DEPTH: usize = 5;
/// Most conditions of one *and* or *or*.
pub const MAX_BRANCHES: usize = 20;
/// Most values of one `in` or `not_in`.
pub const MAX_CHOICES: usize = 50;

/// What must hold, in the spelling in which it is authored and stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Condition {
    And(And),
    Or(Or),
    Not(Not),
    Compare(Compare),
}

/// `{"and": […]}`: all of them hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct And {
    pub and: Vec<Condition>,
}

/// `{"or": […]}`: one of them holds at least.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Or {
    pub or: Vec<Condition>,
}

/// `{"not": …}`: it does not hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Not {
    pub not: Box<Condition>,
}

/// `{"var", "cmp", "value"}`: one variable held against a value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    pub var: String,
    pub cmp: Comparison,
    /// Absent with `present` and `absent`; a list with `in` and `not_in`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

impl Condition {
    /// The condition as it is stored in a plan.
    pub fn to_stored(&self) -> Value {
        serde_json::json!(self)
    }

    /// Reads back what [`Condition::to_stored`] wrote.
    pub fn from_stored(stored: &Value) -> Result<Self, serde_json::Error> {
        Self::deserialize(stored)
    }

    /// Every comparison in it, in order.
    pub fn comparisons(&self) -> Vec<&Compare> {
        match self {
            Self::And(And { and: inner }) | Self::Or(Or { or: inner }) => inner.iter().flat_map(Self::comparisons).collect(),
            Self::Not(Not { not }) => not.comparisons(),
            Self::Compare(compare) => vec![compare],
        }
    }
}
