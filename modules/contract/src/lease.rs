//! Borrowing a value: read, apply with a deadline, restore by compare-and-set, and whether it is still held.

use crate::{Failure, Mark};

/// Which value: the lease's id, in one scope.
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
