//! Judging a step that borrows a value: what may be borrowed, between which bounds and for how long.

use leasehold_module::{Outside, canonical, lease_parts};
use serde_json::Value;

use super::Facts;
use super::check::{Checker, Findings, Stage};
use super::facts::LEASE_ACTION;
use crate::body::pointer;
use crate::plan::{Step, reference};

/// Writes a borrowed number or boolean as its one text, so that one value has one spelling in the log.
pub(super) fn settle_value(step: &mut Step, facts: &Facts) {
    let lease = step.params.get("lease").and_then(Value::as_str).and_then(|named| facts.lease(named));
    if let (LEASE_ACTION, Some(lease), Some(value)) = (step.action.as_str(), lease, step.params.get_mut("value"))
        && let Value::Number(_) | Value::Bool(_) = value
        && let Ok(text) = canonical(lease.value_type, value)
    {
        *value = Value::String(text);
    }
}

pub(super) fn check_lease(checker: &Checker<'_>, step: &Step, at: &str, findings: &mut Findings) {
    let settled = |name: &str| step.params.get(name).filter(|value| is_settled(checker.stage, value));
    let Some(id) = settled("lease").and_then(Value::as_str) else { return };
    let Some(lease) = checker.facts.lease(id) else {
        let kept = |before: &Step| before.action == LEASE_ACTION && before.params.get("lease") == step.params.get("lease");
        if !checker.steps_before().any(kept) {
            findings.fault(pointer(at, "lease"), "unknown_lease", unknown(checker.facts, id));
        }
        return;
    };
    let outside =
        [settled("value").map(|value| lease.admits(value)), settled("minutes").map(|minutes| lease.admits_minutes(minutes))];
    for Outside { param, code, detail } in outside.into_iter().flatten().filter_map(Result::err) {
        findings.fault(pointer(at, param), code, detail);
    }
}

/// Why there is no such value, and how it is named where it is of one among many alike.
fn unknown(facts: &Facts, named: &str) -> String {
    let id = lease_parts(named).0;
    match facts.leases.get(id).map(|lease| &lease.object) {
        Some(Some(object)) => {
            let (label, example) = (&object.label, &object.example);
            format!("{named:?} does not say of what: write {id}@ and {label} behind it, as in {id}@{example}")
        }
        Some(None) => format!("{id:?} is one value and of nothing else: leave out what is behind it in {named:?}"),
        None => format!("there is no value {named:?} to borrow here"),
    }
}

/// Whether a value is final: with its values put in, everything is.
fn is_settled(stage: Stage<'_>, value: &Value) -> bool {
    matches!(stage, Stage::Run) || reference(value).is_none() && !value.as_str().is_some_and(|text| text.contains(['{', '}']))
}
