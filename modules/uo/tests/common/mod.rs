//! What the module's tests ask for.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use leasehold_module::{Failure, LeaseApply, LeaseQuery, LeaseRestore, Perform, Performed, Revert, RevertTarget, Success};
use serde_json::{Value, json};

pub const SKILL_CAP: &str = "uo.config.skillcap";

/// An idempotency key of 40 digits.
pub fn key(seed: u64) -> String {
    format!("{seed:040x}")
}

pub fn spawn(run: &str, key: String, count: u32) -> Perform {
    perform("uo.creature.spawn", run, key, &json!({"location": "yew-orchard", "creature": "orc", "count": count}))
}

pub fn perform(action: &str, run: &str, key: String, params: &Value) -> Perform {
    Perform {
        action: action.into(),
        run_id: run.into(),
        step: "raid".into(),
        idempotency_key: key,
        scope: "main".into(),
        params: params.as_object().cloned().unwrap(),
        fence: 3,
        ttl_ms: 60_000,
        actor: "runner".into(),
        verify: false,
        mark: None,
        ceiling: None,
    }
}

pub fn revert(run: &str, key: String, perform_key: String, references: &[String]) -> Revert {
    let target = |reference: &String| RevertTarget { kind: "creature".into(), reference: reference.clone() };
    Revert {
        action: "uo.creature.spawn".into(),
        run_id: run.into(),
        step: "raid".into(),
        scope: "main".into(),
        resources: references.iter().map(target).collect(),
        perform_key,
        idempotency_key: key,
        mark: None,
    }
}

pub fn apply(run: &str, key: String, value: &str) -> LeaseApply {
    LeaseApply {
        lease: SKILL_CAP.into(),
        scope: "main".into(),
        run_id: run.into(),
        value: value.into(),
        hold_ms: 600_000,
        until_ms: 1_900_000_000_000,
        idempotency_key: key,
        fence: 3,
        ttl_ms: 60_000,
        verify: false,
        mark: None,
    }
}

pub fn restore(run: &str, key: String, expected: &str) -> LeaseRestore {
    LeaseRestore {
        lease: SKILL_CAP.into(),
        scope: "main".into(),
        run_id: run.into(),
        expected: expected.into(),
        baseline: Some("1000".into()),
        idempotency_key: key,
        mark: None,
    }
}

pub fn query(run: &str) -> LeaseQuery {
    LeaseQuery { lease: SKILL_CAP.into(), scope: "main".into(), run_id: run.into() }
}

pub fn done(performed: Performed) -> Success {
    match performed {
        Performed::Done(success) => success,
        Performed::Failed(failure) => panic!("{failure:?}"),
    }
}

pub fn failed(performed: Performed) -> Failure {
    match performed {
        Performed::Done(success) => panic!("{success:?}"),
        Performed::Failed(failure) => failure,
    }
}

/// What a failure claims: its code, whether asking again may help, whether it may have happened.
pub fn claim(failure: &Failure) -> (&str, bool, bool) {
    (&failure.code, failure.retry, failure.unknown)
}
