//! Places of this log, as ways to games remember them.

use std::time::Duration;

use chrono::{DateTime, Utc};
use leasehold_module::Mark;

use super::Engine;
use crate::engine::Fault;
use crate::engine::fault::told;
use crate::log::{Head, LogError, StreamId};

/// Pause before a database that did not answer is asked again.
const PAUSE: Duration = Duration::from_millis(200);

impl Engine {
    /// The place of one event of a stream, or of a later one that is on disk as well; none if it is not there.
    async fn mark_of(&self, stream: &StreamId, sequence: u64, committed: u64) -> Result<Option<Mark>, LogError> {
        let placed = match self.log.settled().filter(|settled| settled.position >= committed) {
            Some(settled) => Some(settled),
            None => self.log.placed(stream, sequence).await?,
        };
        match placed {
            Some(head) => Ok(Some(mark(self.log_name().await?, &head))),
            None => Ok(None),
        }
    }

    /// The place of a claim that was committed with all up to `committed`, however long the database takes to tell it; none once
    /// the claim is over or the engine stops.
    pub(in crate::engine) async fn mark_of_claim(
        &self,
        stream: &StreamId,
        claim: u64,
        committed: u64,
        expires_at: DateTime<Utc>,
    ) -> Option<Mark> {
        loop {
            match self.mark_of(stream, claim, committed).await {
                Ok(mark) => return mark,
                Err(error) => tracing::warn!(%stream, error = %told(&error), "the place of a claim is not known; asking again"),
            }
            tokio::select! {
                () = self.stop.cancelled() => return None,
                () = tokio::time::sleep(PAUSE) => {}
            }
            if self.clock.now().await.is_ok_and(|now| now >= expires_at) {
                return None;
            }
        }
    }

    /// The newest place of this log.
    pub(super) async fn mark_of_head(&self) -> Result<Option<Mark>, Fault> {
        match self.log.head().await? {
            Some(head) => Ok(Some(mark(self.log_name().await?, &head))),
            None => Ok(None),
        }
    }

    /// What this log calls itself: the id of its opening or, where a raw writer came first, the hash of its first event.
    async fn log_name(&self) -> Result<String, LogError> {
        let name = self.rewinds.log_name.get_or_try_init(async || match self.log.log_id().await? {
            Some(id) => Ok(id.to_string()),
            None => Ok(self.log.hash_at(0).await?.map(hex::encode).unwrap_or_default()),
        });
        name.await.cloned()
    }
}

fn mark(log: String, head: &Head) -> Mark {
    Mark { log, position: head.position, hash: hex::encode(&head.hash) }
}
