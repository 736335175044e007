//! Judging a step that borrows a value: what may be borrowed, between which bounds and for how long.

use std::cmp::Ordering;

use leasehold_module::{Lease, canonical, compare};
use serde_json::Value;

use super::Facts;
use super::check::{Checker, Findings, Stage};
use super::facts::LEASE_ACTION;
use crate::body::pointer;
use crate::plan::{Step, reference};

/// Writes a borrowed number or boolean as its one text, so that one value has one spelling in the log.
pub(super) fn settle_value(step: &mut Step, facts: &Facts) {
    let lease = step.params.get("lease").and_then(Value::as_str).and_then(|id| facts.leases.get(id));
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
    let Some(lease) = checker.facts.leases.get(id) else {
        let kept = |before: &Step| before.action == LEASE_ACTION && before.params.get("lease") == step.params.get("lease");
        if !checker.steps_before().any(kept) {
            findings.fault(pointer(at, "lease"), "unknown_lease", format!("there is no value {id:?} to borrow here"));
        }
        return;
    };
    if let Some(Err((code, detail))) = settled("value").map(|value| check_bounds(lease, value)) {
        findings.fault(pointer(at, "value"), code, detail);
    }
    let longest = lease.max_duration_ms / 60_000;
    let minutes = settled("minutes").filter(|value| value.as_u64().is_none_or(|m| m == 0 || m > longest));
    if let Some(minutes) = minutes {
        let detail = format!("{} may be borrowed for 1 to {longest} minutes, not {minutes}", lease.label);
        findings.fault(pointer(at, "minutes"), "out_of_range", detail);
    }
}

/// Whether a value is final: with its values put in, everything is.
fn is_settled(stage: Stage<'_>, value: &Value) -> bool {
    matches!(stage, Stage::Run) || reference(value).is_none() && !value.as_str().is_some_and(|text| text.contains(['{', '}']))
}

fn check_bounds(lease: &Lease, value: &Value) -> Result<(), (&'static str, String)> {
    let text = canonical(lease.value_type, value).map_err(|fault| ("wrong_value", format!("{} {fault}", lease.label)))?;
    let past =
        |bound: &Option<String>, side| bound.as_ref().is_some_and(|bound| compare(lease.value_type, &text, bound) == Some(side));
    if past(&lease.min, Ordering::Less) || past(&lease.max, Ordering::Greater) {
        let told = |bound: &Option<String>| bound.clone().unwrap_or_else(|| "any".to_owned());
        let (min, max) = (told(&lease.min), told(&lease.max));
        return Err(("out_of_range", format!("{} must be {min} to {max}, not {text}", lease.label)));
    }
    Ok(())
}
