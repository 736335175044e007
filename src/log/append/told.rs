//! What is told of appends: how many, what became of them, how long it took.

use std::time::Instant;

use super::{Append, AppendError, Appended};
use crate::telling::catalogue::{APPEND_SECONDS, APPENDS, EVENTS};

/// A command that is on its way into the log.
pub(super) struct Sent {
    at: Instant,
    /// The types of its events.
    types: Vec<String>,
}

impl Sent {
    pub fn now(append: &Append) -> Self {
        let events = append.writes.iter().flat_map(|write| &write.events);
        Self { at: Instant::now(), types: events.map(|event| event.event_type.clone()).collect() }
    }

    pub fn tell(self, outcome: &Result<Appended, AppendError>) {
        let word = word(outcome);
        APPENDS.add(&[word], 1);
        APPEND_SECONDS.record(&[word], self.at.elapsed().as_secs_f64());
        if outcome.is_ok() {
            self.types.iter().for_each(|event_type| EVENTS.add(&[event_type], 1));
        }
    }
}

/// As the metrics spell it.
fn word(outcome: &Result<Appended, AppendError>) -> &'static str {
    match outcome {
        Ok(_) => "appended",
        Err(AppendError::AlreadyDone(_)) => "already_done",
        Err(AppendError::Conflict { .. }) => "conflict",
        Err(AppendError::Moved { .. }) => "moved",
        Err(AppendError::Unstaged(_)) => "unstaged",
        Err(AppendError::RowConflict { .. }) => "row_conflict",
        Err(AppendError::CursorMoved { .. }) => "cursor_moved",
        Err(AppendError::Busy(_)) => "busy",
        Err(AppendError::Malformed { .. }) => "malformed",
        Err(AppendError::NotOpen) => "not_open",
        Err(AppendError::HeldBack) => "held_back",
        Err(AppendError::Unknown { .. }) => "unknown",
        Err(AppendError::Database(_)) => "failed",
    }
}
