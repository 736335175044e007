//! Borrowing a value: read, apply with a deadline, restore by compare-and-set, and whether it is still held.

use crate::manifest::Lease;
use crate::{Failure, Mark};

/// Most characters of an object's name.
const OBJECT_MAX: usize = 64;

/// What a plan names: the declared id, and the object behind the first `@`, where there is one.
pub fn lease_parts(named: &str) -> (&str, Option<&str>) {
    named.split_once('@').map_or((named, None), |(id, object)| (id, Some(object)))
}

/// Whether that can name an object: 1 to 64 letters, digits, dots, dashes, underscores and colons.
pub fn is_object(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-:".contains(&byte);
    (1..=OBJECT_MAX).contains(&text.len()) && text.bytes().all(plain)
}

impl Lease {
    /// Whether a plan that says this means a value of this lease.
    pub fn is_named(&self, named: &str) -> bool {
        let (id, object) = lease_parts(named);
        self.id == id && self.object.is_some() == object.is_some() && object.is_none_or(is_object)
    }
}

/// Which value: the lease as the plan names it (its id, or `ID@OBJECT`), in one scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseQuery {
    pub lease: String,
    pub scope: String,
    pub run_id: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeaseRead {
    Value(String),
    Failed(Failure),
}

/// Write `value`, and put the baseline back by yourself when `hold_ms` have passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseApply {
    pub lease: String,
    pub scope: String,
    pub run_id: String,
    /// Text; compared as a value.
    pub value: String,
    /// Milliseconds from receipt; the game's own clock measures them.
    pub hold_ms: u64,
    /// Milliseconds since 1970, for display only.
    pub until_ms: i64,
    pub idempotency_key: String,
    pub fence: u64,
    pub ttl_ms: u64,
    pub verify: bool,
    /// From which place in the log it is sent; none where nothing is to change.
    pub mark: Option<Mark>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeaseApplied {
    /// `baseline` is the one of record: what the game found, told by the apply itself.
    Applied {
        baseline: String,
        applied: String,
        replayed: bool,
    },
    /// Only for `verify`: it would be accepted, and this is the value now.
    Acceptable {
        current: String,
    },
    Failed(Failure),
}

/// Put the baseline back if the value is still what was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseRestore {
    pub lease: String,
    pub scope: String,
    pub run_id: String,
    /// What the run applied.
    pub expected: String,
    /// The baseline of record; absent when apply's answer never came.
    pub baseline: Option<String>,
    pub idempotency_key: String,
    /// From which place in the log it is sent.
    pub mark: Option<Mark>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeaseRestored {
    Restored,
    /// The game had let go first, at its deadline or by a restart; nothing was written.
    LetGo {
        reason: String,
        current: String,
    },
    /// Somebody else moved it; nothing was written.
    Drifted {
        current: String,
    },
    Failed(Failure),
}

/// Whether the game still has any record of the hold. Only an explicit `No` takes an entry out of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InForce {
    Yes,
    No,
    Unknown(String),
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn lease(object: &Value) -> Lease {
        let lease = json!({"id": "demo.rate", "label": "Rate", "type": "int", "min": "1", "max": "9", "maxDurationMs": 60_000,
            "reaches": "everyone", "budgetMs": 1, "object": object});
        serde_json::from_value(lease).unwrap()
    }

    #[test]
    fn a_lease_of_many_alike_is_named_with_its_object_and_every_other_without() {
        let (one, of_many) = (lease(&Value::Null), lease(&json!({"label": "the lamp", "example": "quay-7"})));
        assert!(one.is_named("demo.rate") && !of_many.is_named("demo.rate"));
        for named in ["demo.rate@quay-7", "demo.rate@0x40001A2B", "demo.rate@a.b:c_d"] {
            assert!(of_many.is_named(named) && !one.is_named(named), "{named}");
        }
        let long = format!("demo.rate@{}", "x".repeat(65));
        for named in ["demo.rate@", "demo.rate@a b", "demo.rate@a@b", "demo.rate@a/b", "demo.rates@a", &long] {
            assert!(!of_many.is_named(named) && !one.is_named(named), "{named}");
        }
    }
}
