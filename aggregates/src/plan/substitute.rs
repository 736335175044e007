//! Putting a run's parameters into its plan.

use leasehold_module::Param;
use serde_json::{Map, Value};

use super::{ParamDecl, Plan, Template};
use crate::body::{Fault, Text, pointer};

/// The values of one run: what was given, with defaults for the rest. Pointers start at `/params`.
pub fn bind(declared: &[ParamDecl], given: &Map<String, Value>) -> Result<Map<String, Value>, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut bound = Map::new();
    for decl in declared {
        let at = pointer("/params", &decl.name);
        match given.get(&decl.name).or(decl.default.as_ref()) {
            Some(value) => match decl.check(value) {
                Ok(()) => drop(bound.insert(decl.name.clone(), value.clone())),
                Err(fault) => faults.push(Fault { pointer: at, ..fault }),
            },
            None if decl.required => faults.push(Fault::new(at, "required", format!("{} has no value", decl.name))),
            None => {}
        }
    }
    for name in given.keys().filter(|name| !declared.iter().any(|decl| &decl.name == *name)) {
        let detail = format!("this version has no parameter {name}");
        faults.push(Fault::new(pointer("/params", name), "unknown_field", detail));
    }
    if faults.is_empty() { Ok(bound) } else { Err(faults) }
}

/// The plan with `values` (from [`bind`]) in place of `{name}` in text and of `{"param": name}` elsewhere.
///
/// The result is no template any more: `{{` has become `{`, and putting values in twice would misread it. A name
/// without a value is a fault at its place in the plan, starting at `/spec`.
pub fn substitute(plan: &Plan, values: &Map<String, Value>) -> Result<Plan, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut done = plan.clone();
    for (p, phase) in done.phases.iter_mut().enumerate() {
        for (s, step) in phase.steps.iter_mut().enumerate() {
            for (name, value) in &mut step.params {
                match put_in(value, values) {
                    Ok(filled) => *value = filled,
                    Err(detail) => {
                        let at = pointer(&format!("/spec/phases/{p}/steps/{s}/params"), name);
                        faults.push(Fault::new(at, "unknown_param", detail));
                    }
                }
            }
        }
    }
    if faults.is_empty() { Ok(done) } else { Err(faults) }
}

fn put_in(value: &Value, values: &Map<String, Value>) -> Result<Value, String> {
    if let Some(name) = reference(value) {
        return values.get(name).cloned().ok_or_else(|| no_value(name));
    }
    match value {
        Value::String(text) => {
            let template = Template::parse(text).map_err(|fault| fault.to_string())?;
            template.render(values).map(Value::String).map_err(|name| no_value(&name))
        }
        other => Ok(other.clone()),
    }
}

fn no_value(name: &str) -> String {
    format!("the parameter {name} has no value")
}

/// The name in `{"param": name}`.
pub(crate) fn reference(value: &Value) -> Option<&str> {
    let object = value.as_object().filter(|object| object.len() == 1)?;
    object.get("param")?.as_str()
}

impl ParamDecl {
    /// Checks a value's type, its length (a text has 1 to 4,000 characters) and that a text holds no control character
    /// but line ends and tabs; the fault's pointer is empty.
    pub fn check(&self, value: &Value) -> Result<(), Fault> {
        let param = Param {
            name: self.name.clone(),
            value_type: self.value_type,
            required: self.required,
            example: Value::Null,
            source: None,
            min: None,
            max: None,
            max_length: None,
            any_scalar: false,
        };
        param.check(value).map_err(|fault| Fault::new("", fault.code, fault.detail))?;
        if value.is_string() {
            Text::lines(usize::MAX).check(&self.name, value).map_err(|(code, detail)| Fault::new("", code, detail))?;
        }
        Ok(())
    }
}
