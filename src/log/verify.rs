//! Checking the chain: every position there, every hash right, no instant before the one in front of it.

use chrono::{DateTime, Utc};
use sqlx::FromRow;

use super::Log;
use super::canonical::Canonical;
use super::error::{place, stored};
use super::stream::Head;

/// Events read at once. Large enough that reading costs more than asking, small enough to stay out of memory's way.
const PAGE: i64 = 2_000;

/// The log as it was found: whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// How many events were checked.
    pub events: u64,
    /// The newest of them; keep it elsewhere, for nothing in the log can show that its tail was cut off.
    pub head: Option<Head>,
}

/// Why the log could not be called whole.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The first position at which the log is not what was recorded.
    #[error("the log is broken at position {position}: {why}")]
    Broken { position: u64, why: Break },
    #[error("the database did not answer while the log was checked")]
    Database(#[from] sqlx::Error),
}

/// What is wrong at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Break {
    #[error("the event is missing")]
    Missing,
    #[error("the event or the one in front of it was changed: its hash does not follow")]
    Hash,
    #[error("the event's instant is before that of the event in front of it")]
    Instant,
    #[error("the event is not the one that the expected head names")]
    OtherHead,
}

#[derive(FromRow)]
struct Link {
    position: i64,
    recorded_at: DateTime<Utc>,
    aggregate_type: String,
    aggregate_id: String,
    sequence: i64,
    event_type: String,
    event_version: String,
    payload: String,
    metadata: String,
    hash: Vec<u8>,
}

impl Log {
    /// Checks the whole log from its first event and, if a head kept elsewhere is given, that it still leads through it.
    ///
    /// `progress` is told the number of events checked so far, every 2,000. Events appended meanwhile are checked too.
    pub async fn verify(&self, expected: Option<&Head>, mut progress: impl FnMut(u64) + Send) -> Result<Verified, VerifyError> {
        let mut head: Option<Head> = None;
        loop {
            let page = self.links_after(head.as_ref().map_or(-1, |head| stored(head.position))).await?;
            if page.is_empty() {
                break;
            }
            for link in page {
                let next = follow(head.as_ref(), link)?;
                passes(expected, &next)?;
                head = Some(next);
            }
            progress(head.as_ref().map_or(0, |head| head.position + 1));
        }
        let events = head.as_ref().map_or(0, |head| head.position + 1);
        if expected.is_some_and(|expected| expected.position >= events) {
            return Err(VerifyError::Broken { position: events, why: Break::Missing });
        }
        Ok(Verified { events, head })
    }

    async fn links_after(&self, position: i64) -> Result<Vec<Link>, sqlx::Error> {
        sqlx::query_as(
            "select position, recorded_at, aggregate_type, aggregate_id, sequence, event_type, event_version,
                    payload::text, metadata::text, hash
             from public.events where position > $1 order by position limit $2",
        )
        .bind(position)
        .bind(PAGE)
        .fetch_all(self.pool())
        .await
    }
}

/// The head behind `head`, if `link` is what follows it.
fn follow(head: Option<&Head>, link: Link) -> Result<Head, VerifyError> {
    let position = head.map_or(0, |head| head.position + 1);
    let broken = |why| Err(VerifyError::Broken { position, why });
    if place(link.position) != position {
        return broken(Break::Missing);
    }
    let front = head.map_or(&[][..], |head| &head.hash);
    let canonical = Canonical {
        position: link.position,
        recorded_at: link.recorded_at,
        aggregate_type: &link.aggregate_type,
        aggregate_id: &link.aggregate_id,
        sequence: link.sequence,
        event_type: &link.event_type,
        event_version: &link.event_version,
        payload: &link.payload,
        metadata: &link.metadata,
    };
    if canonical.hash(front) != link.hash {
        return broken(Break::Hash);
    }
    if head.is_some_and(|head| link.recorded_at < head.recorded_at) {
        return broken(Break::Instant);
    }
    Ok(Head { position, hash: link.hash, recorded_at: link.recorded_at })
}

fn passes(expected: Option<&Head>, head: &Head) -> Result<(), VerifyError> {
    match expected {
        Some(expected) if expected.position == head.position && expected.hash != head.hash => {
            Err(VerifyError::Broken { position: head.position, why: Break::OtherHead })
        }
        _ => Ok(()),
    }
}
