//! Judging the parameters of one step, with templates in them or with values.

use leasehold_module::{Action, Param, ParamType, price};
use serde_json::Value;

use super::check::{Checker, Findings, Stage, check_name, check_template};
use super::check_lease::check_lease;
use super::facts::LEASE_ACTION;
use crate::body::{Text, pointer};
use crate::plan::{Plan, Step, reference};

pub(super) fn check_params(checker: &Checker<'_>, step: &Step, action: &Action, at: &str, plan: &Plan, findings: &mut Findings) {
    let before = findings.faults.len();
    for param in action.params.iter().filter(|param| param.required && !step.params.contains_key(&param.name)) {
        findings.fault(pointer(at, &param.name), "required", format!("{} is required", param.name));
    }
    for (name, value) in &step.params {
        let at = pointer(at, name);
        match action.params.iter().find(|param| &param.name == name) {
            None => findings.fault(at, "unknown_field", format!("{} has no parameter {name:?}", step.action)),
            Some(param) => check_value(checker, param, value, &at, plan, findings),
        }
    }
    if findings.faults.len() > before {
        return;
    }
    if step.action == LEASE_ACTION {
        check_lease(checker, step, at, findings);
    }
    let open = !matches!(checker.stage, Stage::Run) && step.params.values().any(|value| reference(value).is_some());
    if let Some(fault) = price(&action.cost, &step.params).err().filter(|_| !open) {
        findings.fault(at, "unpriceable", fault.to_string());
    }
    let undeclared = action.cost.iter().find(|term| !checker.facts.budgets.contains(&term.dimension));
    if let Some(term) = undeclared {
        let detail = format!("{} spends {}, which no module declares as a budget", step.action, term.dimension);
        findings.fault(at, "undeclared", detail);
    }
}

fn check_value(checker: &Checker<'_>, param: &Param, value: &Value, at: &str, plan: &Plan, findings: &mut Findings) {
    if !matches!(checker.stage, Stage::Run) {
        if let Some(name) = reference(value) {
            check_reference(param, name, at, plan, findings);
            return;
        }
        if let (ParamType::String, Value::String(text)) = (param.value_type, value) {
            let Some(template) = check_template(text, at, plan, findings) else { return };
            if template.names().next().is_none() {
                let text = template.render(&serde_json::Map::new()).unwrap_or_default();
                check_literal(param, &Value::String(text), at, findings);
            }
            return;
        }
    }
    check_literal(param, value, at, findings);
}

fn check_literal(param: &Param, value: &Value, at: &str, findings: &mut Findings) {
    if let Err(fault) = param.check(value) {
        findings.fault(at, fault.code, fault.detail);
    } else if let Some(Err((code, detail))) = value.is_string().then(|| Text::lines(usize::MAX).check(&param.name, value)) {
        findings.fault(at, code, detail);
    }
}

/// `{"param": name}` stands for a whole value, so the two types must be the same.
fn check_reference(param: &Param, name: &str, at: &str, plan: &Plan, findings: &mut Findings) {
    check_name(name, at, plan, findings);
    let Some(decl) = plan.params.iter().find(|decl| decl.name == name) else { return };
    if param.value_type == ParamType::String && !param.any_scalar {
        findings.name_fault(at, "wrong_type", format!("{} is text: write {{{name}}} in it", param.name));
    } else if !param.any_scalar && decl.value_type != param.value_type {
        let (wanted, given) = (param.value_type.with_article(), decl.value_type.with_article());
        findings.name_fault(at, "wrong_type", format!("{} must be {wanted}, and {name} is {given}", param.name));
    }
}
