//! Deciding again: a command whose streams moved between the reading and the append takes its decision anew.

use std::collections::BTreeSet;
use std::future::Future;

use super::fault::moved;
use super::{Engine, Fault};
use crate::log::{AppendError, StreamId};

/// How often a decision is taken at most. Each try reads afresh, so only a crowd of other engines gets this far.
const TRIES: u32 = 20;

/// Runs `attempt` until it is not refused for somebody else's haste; [`Fault::Busy`] when it always is. From its second try it
/// waits for its turn on the streams on which it lost.
pub async fn again<T, F>(engine: &Engine, mut attempt: impl FnMut() -> F) -> Result<T, Fault>
where
    F: Future<Output = Result<T, Fault>>,
{
    let mut lost_on = BTreeSet::new();
    for _ in 0..TRIES {
        let _in_lanes = engine.lanes.enter(&lost_on).await;
        match attempt().await {
            Err(Fault::Append(error)) if overtaken(&error) => lost_on.extend(moved_stream(error)),
            settled => return settled,
        }
    }
    Err(Fault::Busy)
}

/// The stream that has moved, where it is one.
pub(super) fn moved_stream(error: AppendError) -> Option<StreamId> {
    match error {
        AppendError::Conflict { stream, .. } | AppendError::Moved { stream, .. } => Some(stream),
        _ => None,
    }
}

/// A draft that is at another revision is looked at again, too: the next look says at which. So are drafts and notes of
/// which there are more than were counted, and a member that is not what it was.
fn overtaken(error: &AppendError) -> bool {
    moved(error) || matches!(error, AppendError::RowConflict { row: "draft" | "drafts" | "notes" | "member", .. })
}
