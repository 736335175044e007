//! Choices for a parameter, answered by the module on a request of their own.

use serde::{Deserialize, Serialize};

use crate::Failure;

/// Which choices: those of one source, in one scope where it matters, and with these words where they are searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    pub source: String,
    pub scope: Option<String>,
    pub q: Option<String>,
}

/// One choice: what a step stores, and what a person reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    pub value: String,
    pub label: String,
    /// The heading under which a form lists it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// The answer to [`Options`]. A refusal lets the field fall back to free text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionsAnswer {
    Choices(Vec<Choice>),
    Failed(Failure),
}

impl Choice {
    /// A choice under no heading.
    pub fn new(value: impl Into<String>, label: impl Into<String>) -> Self {
        Self { value: value.into(), label: label.into(), group: None }
    }
}

impl Options {
    /// Whether a choice belongs in the answer: the search words occur in its value or label, whatever their case.
    pub fn keeps(&self, choice: &Choice) -> bool {
        self.q.as_deref().is_none_or(|q| {
            let q = q.trim().to_lowercase();
            choice.value.to_lowercase().contains(&q) || choice.label.to_lowercase().contains(&q)
        })
    }
}
