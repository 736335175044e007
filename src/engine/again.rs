//! Deciding again: a command whose streams moved between the reading and the append takes its decision anew.

use std::future::Future;

use super::Fault;
use super::fault::moved;
use crate::log::AppendError;

/// How often a decision is taken at most. Each try reads afresh, so only a crowd on one stream gets this far.
const TRIES: u32 = 20;

/// Runs `attempt` until it is not refused for somebody else's haste; [`Fault::Busy`] when it always is.
pub async fn again<T, F>(mut attempt: impl FnMut() -> F) -> Result<T, Fault>
where
    F: Future<Output = Result<T, Fault>>,
{
    for _ in 0..TRIES {
        match attempt().await {
            Err(Fault::Append(error)) if overtaken(&error) => {}
            settled => return settled,
        }
    }
    Err(Fault::Busy)
}

/// A draft that is at another revision is looked at again, too: the next look says at which. So are notes of which there
/// are more than were counted.
fn overtaken(error: &AppendError) -> bool {
    moved(error) || matches!(error, AppendError::RowConflict { row: "draft" | "notes", .. })
}
