//! Why an append wrote nothing.

use std::sync::Arc;

use uuid::Uuid;

use super::Appended;
use crate::log::stream::StreamId;

/// An append that did not happen, or (`AlreadyDone`, `Unknown`) whose happening is the question.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// A stream that the append writes has moved on since the decision was taken. Decide again on a fresh load.
    #[error("{stream} was expected to end at sequence {expected} and ends at {actual}")]
    Conflict { stream: StreamId, expected: u64, actual: u64 },
    /// A stream that the decision only read has moved on. Decide again on a fresh load.
    #[error("the decision rests on {stream} ending at sequence {expected}, and it ends at {actual}")]
    Moved { stream: StreamId, expected: u64, actual: u64 },
    /// The staged item is not there: somebody carried it out or dropped it.
    #[error("staged item {0} is gone: it was carried out or dropped by somebody else")]
    Unstaged(Uuid),
    /// A row beside the log is not as the append expects it.
    #[error("the {row} {key} {why}")]
    RowConflict { row: &'static str, key: String, why: String },
    /// The consumer's cursor has another epoch or position than the move names.
    #[error("the cursor of {consumer} is not at position {from} in epoch {epoch} any more")]
    CursorMoved { consumer: String, epoch: u64, from: u64 },
    /// This command committed before; these are the positions it made then.
    #[error("the command was carried out before, at positions {} to {}", .0.first, .0.last)]
    AlreadyDone(Appended),
    /// The log's lock, or a connection, could not be had in time. Nothing was written; try again later.
    #[error("the log is busy: its lock or a connection could not be had in time")]
    Busy(#[source] Arc<sqlx::Error>),
    /// The append itself is not one that the log takes.
    #[error("{what} cannot be recorded: {why}")]
    Malformed { what: String, why: String },
    /// This process appends nothing any more: see [`hold_back`](crate::log::Log::hold_back).
    #[error("this process appends nothing any more")]
    HeldBack,
    /// An append without events needs a log that has been opened.
    #[error("the log is empty: it is opened before anything else is written beside it")]
    NotOpen,
    /// The connection was lost while committing, and so was the look-up afterwards. The same command may be sent again:
    /// it is done once at most.
    #[error("whether command {command_id} was recorded is not known: send it again with the same id")]
    Unknown { command_id: Uuid, source: Arc<sqlx::Error> },
    /// The database refused or did not answer. Nothing was written.
    #[error("the database did not take the append; nothing was written")]
    Database(#[source] Arc<sqlx::Error>),
}

/// `lock_not_available`: the wait for the lock was longer than the session allows.
const LOCK_TIMEOUT: &str = "55P03";

impl From<sqlx::Error> for AppendError {
    fn from(error: sqlx::Error) -> Self {
        let waited = match &error {
            sqlx::Error::PoolTimedOut => true,
            sqlx::Error::Database(refusal) => refusal.code().as_deref() == Some(LOCK_TIMEOUT),
            _ => false,
        };
        let error = Arc::new(error);
        if waited { Self::Busy(error) } else { Self::Database(error) }
    }
}
