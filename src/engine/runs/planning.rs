//! From a published version and a run's parameters to what the run carries with it.

use leasehold_aggregates::body::{Fault as BodyFault, Rejected};
use leasehold_aggregates::definition::{Content, Facts as Declared, LEASE_ACTION};
use leasehold_aggregates::plan::{Advance, Awaited, Step};
use leasehold_aggregates::run::{PlannedGate, PlannedLease, PlannedPhase, PlannedStep, PlannedTimeOut, RunPlan};
use leasehold_module::{canonical, price, render_summary};
use serde_json::{Map, Value};

use crate::engine::registry::Registry;

/// A plan with everything that was looked up for it.
pub struct Planned {
    pub params: Map<String, Value>,
    pub plan: RunPlan,
    pub concurrency_key: Option<String>,
}

/// What the registry declares, as the rules take it.
pub fn declared(registry: &Registry) -> Declared {
    let declared = Declared::of(registry.modules().iter().map(|module| module.manifest()));
    Declared { zones: registry.zones().clone(), ..declared }
}

/// Binds the parameters, puts them in, and looks up version, promise, price and summary of every step, and the trigger of
/// every gate; `stall_seconds`: how long a gate may wait before somebody should look.
pub fn plan_run(
    registry: &Registry,
    content: &Content,
    given: &Map<String, Value>,
    stall_seconds: u64,
) -> Result<Planned, Rejected> {
    let for_run = content.for_run(given, &declared(registry))?;
    let mut faults = Vec::new();
    let mut phases = Vec::new();
    for (p, phase) in for_run.plan.phases.iter().enumerate() {
        let mut steps = Vec::new();
        for (s, step) in phase.steps.iter().enumerate() {
            match plan_step(registry, step) {
                Ok(planned) => steps.push(planned),
                Err((code, detail)) => faults.push(BodyFault::new(format!("/spec/phases/{p}/steps/{s}"), code, detail)),
            }
        }
        let gate = plan_gate(registry, phase.advance.as_ref(), stall_seconds).unwrap_or_else(|detail| {
            faults.push(BodyFault::new(format!("/spec/phases/{p}/advance/on"), "not_plannable", detail));
            None
        });
        let after_seconds = match &phase.advance {
            Some(Advance::After { after }) => Some(*after),
            Some(Advance::On { .. }) | None => None,
        };
        phases.push(PlannedPhase { key: phase.key.clone(), label: phase.label.clone(), steps, after_seconds, gate });
    }
    if faults.is_empty() {
        Ok(Planned { params: for_run.params, plan: RunPlan { phases }, concurrency_key: for_run.concurrency_key })
    } else {
        Err(Rejected::Invalid(faults))
    }
}

fn plan_step(registry: &Registry, step: &Step) -> Result<PlannedStep, (&'static str, String)> {
    let not_plannable = |detail: String| ("not_plannable", detail);
    let missing = || not_plannable(format!("no installed module offers {}", step.action));
    let (action, module) = registry.action(&step.action).ok_or_else(missing)?;
    let lease = (step.action == LEASE_ACTION).then(|| plan_lease(registry, step)).transpose().map_err(not_plannable)?;
    // What cannot be priced is never free.
    let cost = price(&action.cost, &step.params).map_err(|fault| ("unpriceable", fault.to_string()))?;
    let (module, budget_ms) = match &lease {
        Some((module, budget_ms, _)) => (module.clone(), *budget_ms),
        None => (module.manifest().id.clone(), action.budget_ms),
    };
    Ok(PlannedStep {
        key: step.key.clone(),
        action: step.action.clone(),
        action_version: step.action_version,
        module,
        summary: render_summary(&action.summary, &step.params),
        params: step.params.clone(),
        risk: action.risk,
        reversible: action.reversible,
        promise: action.promise,
        budget_ms,
        cost,
        on_failure: step.on_failure(action.risk),
        hold_seconds: step.hold_for,
        awaits_person: step.awaits == Some(Awaited::Human),
        lease: lease.map(|(_, _, lease)| lease),
    })
}

/// The gate that signals open, if the phase has one, with what its trigger declares.
fn plan_gate(registry: &Registry, advance: Option<&Advance>, stall_seconds: u64) -> Result<Option<PlannedGate>, String> {
    let Some(Advance::On { on, condition, count, timeout }) = advance else { return Ok(None) };
    let (trigger, module) = registry.trigger(on).ok_or_else(|| format!("no installed module declares the trigger {on:?}"))?;
    Ok(Some(PlannedGate {
        trigger: on.clone(),
        module: module.manifest().id.clone(),
        awaiting: trigger.awaiting.clone(),
        condition: condition.clone(),
        types: trigger.fields.iter().map(|field| (field.name.clone(), field.value_type)).collect(),
        needed: *count,
        stall_seconds,
        timeout: timeout.as_ref().map(|timeout| PlannedTimeOut { seconds: timeout.after, then: timeout.then }),
    }))
}

/// The declaring module, its time budget, and the hold.
fn plan_lease(registry: &Registry, step: &Step) -> Result<(String, u64, PlannedLease), String> {
    let id = step.params.get("lease").and_then(Value::as_str).unwrap_or_default();
    let (lease, module) = registry.lease(id).ok_or_else(|| format!("no installed module declares the lease {id:?}"))?;
    let value = step.params.get("value").unwrap_or(&Value::Null);
    let value = canonical(lease.value_type, value).map_err(|fault| fault.to_string())?;
    let minutes = step.params.get("minutes").and_then(Value::as_u64).ok_or("minutes must be a whole number of 1 or more")?;
    let planned =
        PlannedLease { id: id.to_owned(), value_type: lease.value_type, value, hold_seconds: minutes.saturating_mul(60) };
    Ok((module.manifest().id.clone(), lease.budget_ms, planned))
}
