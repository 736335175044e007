use chrono::{DateTime, Utc};
use leasehold_aggregates::run::{MissedCause, NoteRef, RunEvent, WithdrawnCause};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::logged::Deed;

/// Why a run came to nothing, when, and by whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotRun {
    pub cause: String,
    pub at: DateTime<Utc>,
    /// An account's id, `scheduler` or `runner`.
    pub by: String,
    /// The run that had its concurrency key.
    pub holder: Option<String>,
    /// The window in which nothing started.
    pub freeze: Option<Uuid>,
    pub note: Option<NoteRef>,
}

impl NotRun {
    /// What an event that ends a run before its start says of it; none of any other event.
    pub fn of(event: &RunEvent, deed: &Deed) -> Option<Self> {
        let plain = |cause: &str| Self {
            cause: cause.to_owned(),
            at: deed.at,
            by: deed.actor.clone(),
            holder: None,
            freeze: None,
            note: None,
        };
        match event {
            RunEvent::RunWithdrawn { cause, .. } => Some(plain(match cause {
                WithdrawnCause::Rescheduled => "withdrawn",
                other => other.into(),
            })),
            RunEvent::RunMissed { cause, .. } => Some(match cause {
                MissedCause::GracePassed {} => plain("missed"),
                MissedCause::SlotHeld { by } => Self { holder: Some(by.clone()), ..plain("slot_held") },
                MissedCause::Stopped { .. } => plain("stopped"),
                MissedCause::Frozen { freeze, .. } => Self { freeze: Some(*freeze), ..plain("frozen") },
            }),
            RunEvent::RunCancelled { note, .. } => Some(Self { note: note.clone(), ..plain("cancelled") }),
            _ => None,
        }
    }
}
