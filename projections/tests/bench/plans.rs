//! Plans of made-up steps, and what a deployment would say of their actions.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use leasehold_aggregates::authorise::ActionFacts;
use leasehold_aggregates::plan::OnFailure;
use leasehold_aggregates::run::{Facts, PlannedLease, PlannedPhase, PlannedStep, RunPlan, Scheduled};
use leasehold_module::{Lease, ParamType, Promise, Reaches, Reversible, Risk};
use serde_json::{Map, json};

/// Seconds after eight in the morning, UTC, of the fifteenth of January 2027.
pub fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).unwrap() + TimeDelta::seconds(seconds)
}

/// Says something; leaves nothing behind.
pub fn step(key: &str) -> PlannedStep {
    PlannedStep {
        key: key.into(),
        action: "demo.say".into(),
        action_version: 1,
        module: "demo".into(),
        summary: "say that it begins".into(),
        params: json!({"text": "it begins", "level": 0.25}).as_object().cloned().unwrap(),
        risk: Risk::Notify,
        reversible: Reversible::None,
        promise: Promise::EffectOnce,
        budget_ms: 10_000,
        cost: BTreeMap::new(),
        on_failure: OnFailure::Skip,
        hold_seconds: None,
        awaits_person: false,
        lease: None,
    }
}

/// Makes things: ledgered, costs `lamps`.
pub fn making(key: &str, lamps: u64) -> PlannedStep {
    PlannedStep {
        action: "demo.lamp.light".into(),
        summary: format!("light {lamps} lamps"),
        risk: Risk::Change,
        reversible: Reversible::Ledger,
        cost: BTreeMap::from([("demo.lamps".into(), lamps)]),
        on_failure: OnFailure::Pause,
        ..step(key)
    }
}

/// Borrows a value for an hour.
pub fn borrowing(key: &str, lease: &str) -> PlannedStep {
    let lease = PlannedLease { id: lease.into(), value_type: ParamType::Int, value: "1200".into(), hold_seconds: 3_600 };
    PlannedStep {
        action: "core.lease".into(),
        summary: format!("set {} to 1200", lease.id),
        risk: Risk::Change,
        reversible: Reversible::Override,
        on_failure: OnFailure::Pause,
        lease: Some(lease),
        ..step(key)
    }
}

pub fn phase(key: &str, steps: Vec<PlannedStep>, after_seconds: Option<u64>) -> PlannedPhase {
    PlannedPhase { key: key.into(), label: format!("The {key}"), steps, after_seconds, gate: None }
}

/// Every action of these plans is on.
pub fn facts() -> Facts {
    let action = |label: &str, risk| ActionFacts {
        tells: None,
        label: label.into(),
        risk,
        version: 1,
        enabled: true,
        declared: ["demo.lamps".into()].into(),
    };
    let actions = BTreeMap::from([
        ("demo.say".to_owned(), action("Say", Risk::Notify)),
        ("demo.lamp.light".to_owned(), action("Light lamps", Risk::Change)),
        ("core.lease".to_owned(), action("Borrow a value", Risk::Change)),
    ]);
    let leases = ["gather", "craft"].map(|name| format!("demo.rate.{name}")).map(|id| (id.clone(), lendable(id)));
    Facts { actions, leases: leases.into(), ..Facts::default() }
}

/// What a module lends under that name.
pub fn lendable(id: String) -> Lease {
    Lease {
        label: id.clone(),
        id,
        value_type: ParamType::Int,
        min: Some("0".into()),
        max: Some("2000".into()),
        max_duration_ms: 7_200_000,
        reaches: Reaches::Everyone,
        object: None,
        budget_ms: 5_000,
    }
}

pub fn scheduled(run_id: &str, definition_id: &str, scheduled_for: DateTime<Utc>, phases: Vec<PlannedPhase>) -> Scheduled {
    Scheduled {
        run_id: run_id.into(),
        definition_id: definition_id.into(),
        definition_version: 3,
        title: "Lamps and “rates” <b>".into(),
        scope: "main".into(),
        slot: Some("2027-01-15T09:00:00".into()),
        generation: 0,
        scheduled_for,
        timezone: "Europe/Berlin".into(),
        moved_from: None,
        dst_adjusted: None,
        grace_seconds: 900,
        concurrency_key: Some("lamps:Elmbrook".into()),
        rehearsal: false,
        hops: 0,
        params: Map::from_iter([("region".to_owned(), json!("Elmbrook"))]),
        plan: RunPlan { phases },
    }
}
