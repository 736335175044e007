//! Typing a condition against a trigger's declaration.

use leasehold_module::{Param, ParamType, Trigger};
use serde_json::Value;

use super::compare::Operand;
use super::{And, Compare, Condition, Not, Or};
use crate::body::{Fault, pointer};

impl Condition {
    /// Every comparison that this trigger's signals cannot answer, with the variable named; `at`: where it was posted.
    pub fn check(&self, trigger: &Trigger, at: &str) -> Vec<Fault> {
        match self {
            Self::And(And { and: inner }) => branches(inner, trigger, &pointer(at, "and")),
            Self::Or(Or { or: inner }) => branches(inner, trigger, &pointer(at, "or")),
            Self::Not(Not { not }) => not.check(trigger, &pointer(at, "not")),
            Self::Compare(compare) => compare.check(trigger, at),
        }
    }
}

fn branches(inner: &[Condition], trigger: &Trigger, at: &str) -> Vec<Fault> {
    inner.iter().enumerate().flat_map(|(nth, one)| one.check(trigger, &pointer(at, nth))).collect()
}

impl Compare {
    fn check(&self, trigger: &Trigger, at: &str) -> Vec<Fault> {
        let Some(field) = trigger.fields.iter().find(|field| field.name == self.var) else {
            let known: Vec<&str> = trigger.fields.iter().map(|field| field.name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            let detail = format!("{} has no variable {:?}; it has: {known}", trigger.id, self.var);
            return vec![Fault::new(pointer(at, "var"), "unknown_variable", detail)];
        };
        if !self.cmp.takes(field.value_type) {
            let (var, label, kind) = (&self.var, self.cmp.label(), field.value_type.with_article());
            let detail = format!("{var} is {kind}, and “{label}” ({}) does not compare that", self.cmp);
            return vec![Fault::new(pointer(at, "cmp"), "wrong_comparison", detail)];
        }
        let at = pointer(at, "value");
        match (self.cmp.operand(), &self.value) {
            (Operand::List, Some(Value::Array(choices))) => {
                let typed = |(nth, choice)| typed(&self.var, field.value_type, choice, &pointer(&at, nth));
                choices.iter().enumerate().filter_map(typed).collect()
            }
            (Operand::Value, Some(value)) => typed(&self.var, field.value_type, value, &at).into_iter().collect(),
            _ => Vec::new(),
        }
    }
}

fn typed(var: &str, value_type: ParamType, value: &Value, at: &str) -> Option<Fault> {
    let of_type = Param {
        name: var.to_owned(),
        value_type,
        required: true,
        example: Value::Null,
        source: None,
        min: None,
        max: None,
        max_length: None,
        any_scalar: false,
    };
    let fault = of_type.check(value).err()?;
    Some(Fault::new(at, fault.code, fault.detail))
}
