//! Why a batch did not commit, sorted by what is to be done about it.

use std::sync::Arc;

use super::AppendError;

/// A batch that is not known to have committed.
#[derive(Debug)]
pub(super) enum Trouble {
    /// Somebody else wrote, or more was seen than is known here: look again, under the lock. Nothing was written.
    Behind,
    /// The lock could not be had in time. Nothing was written.
    Busy(Arc<sqlx::Error>),
    /// There is no session to be had. Nothing was sent.
    Away(Arc<sqlx::Error>),
    /// The connection is gone. What was sent as a commit may have been carried out, or may be yet.
    Lost { error: Arc<sqlx::Error>, sent: bool },
    /// Something in it is not taken. Nothing was written.
    Refused(AppendError),
}

/// `lock_not_available`: the wait for the lock was longer than the session allows.
const LOCK_TIMEOUT: &str = "55P03";
const UNIQUE: &str = "23505";
/// What the schema says to events that do not follow the head, and to stamps that are not right.
const NOT_THE_HEAD: [&str; 2] = ["LG001", "LG002"];
/// The constraints that a writer meets who believes in an old head.
const PLACES: [&str; 2] = ["events_pkey", "events_position_once"];
/// Classes and codes of a session that ends or cannot begin: connection exceptions, and the operator's interventions but for
/// a cancelled statement.
const GONE: [&str; 6] = ["08", "57P", "25P03", "53300", "XX000", "58"];

impl Trouble {
    /// `sent`: the statement that failed was, or carried, a commit.
    pub fn of(error: Arc<sqlx::Error>, sent: bool) -> Self {
        let sqlx::Error::Database(refusal) = &*error else {
            return if of_our_own(&error) { Self::Refused(AppendError::Database(error)) } else { Self::Lost { error, sent } };
        };
        let code = refusal.code().unwrap_or_default();
        let place = refusal.constraint().is_some_and(|constraint| PLACES.contains(&constraint));
        if code == LOCK_TIMEOUT {
            Self::Busy(error)
        } else if NOT_THE_HEAD.contains(&&*code) || (code == UNIQUE && place) {
            Self::Behind
        } else if GONE.iter().any(|gone| code.starts_with(gone)) {
            Self::Lost { error, sent }
        } else {
            Self::Refused(AppendError::Database(error))
        }
    }
}

/// What fails before anything is sent, or after an answer has come whole.
fn of_our_own(error: &sqlx::Error) -> bool {
    use sqlx::Error::{AnyDriverError, ColumnDecode, ColumnNotFound, Decode, Encode, RowNotFound, TypeNotFound};
    matches!(
        error,
        AnyDriverError(_) | ColumnDecode { .. } | ColumnNotFound(_) | Decode(_) | Encode(_) | RowNotFound | TypeNotFound { .. }
    )
}
