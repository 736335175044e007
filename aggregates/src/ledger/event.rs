//! What has happened to a target.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::given;

/// Why a hold ended well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::Display, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Let {
    /// The object was removed.
    Removed,
    /// The baseline was put back by the engine's own restore.
    Restored,
    /// Nothing was there any more.
    Gone,
    /// The game had put the baseline back at the deadline; nothing was written.
    ExpiredAtGame,
    /// A restart or wipe of the game had put it back; nothing was written.
    LetGoByRestart,
    /// The step did not happen, so there was nothing to give back.
    NeverTaken,
    /// A placeholder whose step has answered: what it stood for has entries of its own.
    Answered,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum LedgerEvent {
    TargetReserved {
        run_id: String,
        step: String,
        #[serde(deserialize_with = "given")]
        wanted: Option<String>,
        #[serde(deserialize_with = "given")]
        until: Option<DateTime<Utc>>,
    },
    TargetConfirmed {
        run_id: String,
        step: String,
        #[serde(deserialize_with = "given")]
        baseline: Option<String>,
        #[serde(deserialize_with = "given")]
        applied: Option<String>,
        #[serde(deserialize_with = "given")]
        until: Option<DateTime<Utc>>,
    },
    UndoBegun {
        run_id: String,
        round: u32,
        attempt: u32,
    },
    UndoFailed {
        run_id: String,
        code: String,
    },
    TargetReverted {
        run_id: String,
        reason: Let,
    },
    TargetDrifted {
        run_id: String,
        found: String,
    },
    TargetOrphaned {
        run_id: String,
        reason: String,
    },
}

impl LedgerEvent {
    /// Types of the events after which nobody holds the target, until another hold begins.
    pub const RELEASES: [&'static str; 3] = ["target_reverted", "target_drifted", "target_orphaned"];
}

crate::stored_events!(LedgerEvent {
    TargetReserved => "target_reserved": 1,
    TargetConfirmed => "target_confirmed": 1,
    UndoBegun => "undo_begun": 1,
    UndoFailed => "undo_failed": 1,
    TargetReverted => "target_reverted": 1,
    TargetDrifted => "target_drifted": 1,
    TargetOrphaned => "target_orphaned": 1,
});
