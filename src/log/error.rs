//! What can go wrong when the log is read or set up. Refused appends have an error of their own.

/// A read of the log, or of the rows beside it, that gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The database did not answer, or answered with an error.
    #[error("the database did not carry out what the log asked of it")]
    Database(#[from] sqlx::Error),
    /// A raw writer can record what no engine writes: a number beyond any range, half a surrogate pair, metadata that is
    /// not a flat map. The event stays where it is; nobody reads past it by accident.
    #[error("the event at position {position} cannot be read: {why}")]
    Undecodable { position: u64, why: String },
}

impl LogError {
    /// Whether the role that asked may not read this: an auditor reads nothing that is personal.
    pub fn is_denied(&self) -> bool {
        let Self::Database(sqlx::Error::Database(error)) = self else { return false };
        error.code().is_some_and(|code| code == "42501")
    }
}

/// A place in the log or in a stream, as the schema stores it. Numbers beyond its range lie past every event, which is
/// what the largest means too.
pub(crate) fn stored(place: u64) -> i64 {
    i64::try_from(place).unwrap_or(i64::MAX)
}

/// A place as read back. The schema admits none below zero.
pub(crate) fn place(stored: i64) -> u64 {
    stored.unsigned_abs()
}
