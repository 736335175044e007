//! Reading a condition from a posted body: its shape alone, with every fault at its place.

use serde_json::Value;

use super::compare::Operand;
use super::{And, Compare, Comparison, Condition, MAX_BRANCHES, MAX_CHOICES, MAX_DEPTH, Not, Or};
use crate::body::{Faults, Object, Text};

impl Condition {
    /// The condition at `at`, or none where it is faulty; what is wrong is told, each fault at its place.
    pub fn read(value: &Value, at: &str, faults: &Faults) -> Option<Self> {
        let before = faults.count();
        let read = one(value, at, 1, faults);
        read.filter(|_| faults.count() == before)
    }
}

fn one(value: &Value, at: &str, depth: usize, faults: &Faults) -> Option<Condition> {
    if depth > MAX_DEPTH {
        faults.add(at, "too_deep", format!("a condition has at most {MAX_DEPTH} levels"));
        return None;
    }
    let given = |name: &str| value.get(name).is_some();
    let forms: Vec<&str> = ["and", "or", "not", "var"].into_iter().filter(|name| given(name)).collect();
    let object = Object::of(value, at, faults);
    let read = match forms.as_slice() {
        ["and"] => Some(Condition::And(And { and: branches(&object, "and", depth, faults) })),
        ["or"] => Some(Condition::Or(Or { or: branches(&object, "or", depth, faults) })),
        ["not"] => object
            .required("not")
            .and_then(|inner| one(inner, &object.at("not"), depth + 1, faults))
            .map(|not| Condition::Not(Not { not: Box::new(not) })),
        ["var"] => Some(Condition::Compare(compare(&object))),
        _ => {
            if value.is_object() {
                faults.add(at, "wrong_shape", "a condition is one of {var, cmp, value}, {and}, {or} and {not}");
            }
            return None;
        }
    };
    object.finish();
    read
}

fn branches(object: &Object<'_>, name: &'static str, depth: usize, faults: &Faults) -> Vec<Condition> {
    let items = object.list(name, 1..=MAX_BRANCHES);
    items.into_iter().filter_map(|(at, item)| one(item, &at, depth + 1, faults)).collect()
}

fn compare(object: &Object<'_>) -> Compare {
    let cmp = object.choice::<Comparison>("cmp");
    let value = object.optional("value");
    match (cmp.map(Comparison::operand), value) {
        (Some(Operand::Nothing), Some(_)) => {
            object.fault("value", "not_allowed", "present and absent compare with nothing: leave value out");
        }
        (Some(Operand::Value | Operand::List), None) => object.fault("value", "required", "value is required"),
        (Some(Operand::List), Some(_)) => drop(object.list("value", 1..=MAX_CHOICES)),
        _ => {}
    }
    Compare { var: object.text("var", Text::line(1, 64)), cmp: cmp.unwrap_or(Comparison::Present), value: value.cloned() }
}
