//! What may be asked of a target.

use chrono::{DateTime, Utc};

use super::Let;

/// One command to one target. Commands come from a run's own append, never alone.
#[derive(Debug, Clone, PartialEq)]
pub enum LedgerCommand {
    /// Before the dispatch: this run's step is about to take it.
    Reserve {
        run_id: String,
        step: String,
        wanted: Option<String>,
        until: Option<DateTime<Utc>>,
    },
    /// The module answered that it is there.
    Confirm {
        run_id: String,
        step: String,
        baseline: Option<String>,
        applied: Option<String>,
        until: Option<DateTime<Utc>>,
    },
    BeginUndo {
        run_id: String,
        round: u32,
        attempt: u32,
    },
    FailUndo {
        run_id: String,
        code: String,
    },
    /// It went home, or was never taken.
    Revert {
        run_id: String,
        reason: Let,
    },
    /// Somebody else has moved the value; it is left alone.
    Drift {
        run_id: String,
        found: String,
    },
    /// It vanished while nobody was looking, as a reconcile told.
    Orphan {
        run_id: String,
        reason: String,
    },
}
