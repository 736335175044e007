//! The one renderer of a condition as a sentence.

use serde_json::Value;

use super::{And, Compare, Condition, Not, Or};

impl Condition {
    /// In words: `region is “North” and (count is at least 3 or not (quiet is present))`.
    pub fn words(&self) -> String {
        match self {
            Self::And(And { and }) => joined(and, " and "),
            Self::Or(Or { or }) => joined(or, " or "),
            Self::Not(Not { not }) => format!("not ({})", not.words()),
            Self::Compare(compare) => compare.words(),
        }
    }
}

fn joined(inner: &[Condition], between: &str) -> String {
    let grouped = |one: &Condition| match one {
        Condition::And(_) | Condition::Or(_) if inner.len() > 1 => format!("({})", one.words()),
        _ => one.words(),
    };
    inner.iter().map(grouped).collect::<Vec<_>>().join(between)
}

impl Compare {
    fn words(&self) -> String {
        let (var, label) = (&self.var, self.cmp.label());
        match &self.value {
            None => format!("{var} {label}"),
            Some(Value::Array(choices)) => {
                let choices: Vec<String> = choices.iter().map(spelled).collect();
                format!("{var} {label} {}", choices.join(", "))
            }
            Some(value) => format!("{var} {label} {}", spelled(value)),
        }
    }
}

/// A value as a sentence has it: text in quotes, the rest as it is written.
pub(super) fn spelled(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |text| format!("“{text}”"))
}
