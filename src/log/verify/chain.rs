//! The chain as it is followed, event by event.

use chrono::{DateTime, Utc};
use sqlx::postgres::PgRow;

use super::link::{self, Link};
use super::{Break, Verified, VerifyError};
use crate::log::anchor::Anchor;
use crate::log::error::{place, stored};
use crate::log::stream::Head;

/// How far the log has been followed, and what it must still lead through.
#[derive(Debug, Default)]
pub(super) struct Chain {
    /// The event that the next must follow; none in front of the first.
    front: Option<Front>,
    /// Where the check begins, if that is not the beginning of the log.
    from: Option<Anchor>,
    expected: Vec<Anchor>,
}

#[derive(Debug, Clone, Copy)]
struct Front {
    anchor: Anchor,
    recorded_at: DateTime<Utc>,
}

impl Chain {
    pub fn from_the_start(expected: &[Anchor]) -> Self {
        Self { expected: expected.to_vec(), ..Self::default() }
    }

    /// Begins with the event that the anchor names.
    pub fn from_anchor(from: Anchor) -> Self {
        Self { from: Some(from), ..Self::default() }
    }

    /// The lowest position that has not been looked at. An event in front of the first is one too many, so the check
    /// begins below it.
    pub fn lowest(&self) -> i64 {
        match (&self.front, &self.from) {
            (Some(front), _) => stored(front.anchor.position) + 1,
            (None, Some(from)) => stored(from.position),
            (None, None) => i64::MIN,
        }
    }

    /// How many events there are up to the one followed last.
    pub fn events(&self) -> u64 {
        self.front.map_or(0, |front| front.anchor.position + 1)
    }

    /// The chain with these rows behind it.
    pub fn with(mut self, rows: &[PgRow]) -> Result<Self, VerifyError> {
        for row in rows {
            self.follow(row)?;
        }
        Ok(self)
    }

    /// The end of the log has been reached: what it must lead through must have come.
    pub fn end(self) -> Result<Verified, VerifyError> {
        let events = self.events();
        let short = self.from.iter().chain(&self.expected).any(|anchor| anchor.position >= events);
        if short {
            let missing = self.from.map_or(events, |from| events.max(from.position));
            return Err(VerifyError::Broken { position: missing, why: Break::Missing });
        }
        let head = self.front.map(|Front { anchor, recorded_at }| Head {
            position: anchor.position,
            hash: anchor.hash.to_vec(),
            recorded_at,
        });
        Ok(Verified { events, head })
    }

    fn follow(&mut self, row: &PgRow) -> Result<(), VerifyError> {
        let position = self.front.map_or(self.from.map_or(0, |from| from.position), |front| front.anchor.position + 1);
        let broken = |why| Err(VerifyError::Broken { position, why });
        match link::position(row) {
            Some(found) if found < stored(position) => {
                return Err(VerifyError::Broken { position: place(found.max(0)), why: Break::Surplus });
            }
            Some(found) if found > stored(position) => return broken(Break::Missing),
            Some(_) => {}
            None => return broken(Break::Unreadable),
        }
        let Some(link) = Link::of(row) else { return broken(Break::Unreadable) };
        let Some(hash) = self.hash_of(&link) else { return broken(Break::OtherHead) };
        if hash != link.hash {
            return broken(Break::Hash);
        }
        let recorded_at = link.event.recorded_at;
        if self.front.is_some_and(|front| recorded_at < front.recorded_at) {
            return broken(Break::Instant);
        }
        if self.expected.iter().any(|expected| expected.position == position && expected.hash != hash) {
            return broken(Break::OtherHead);
        }
        self.front = Some(Front { anchor: Anchor { position, hash }, recorded_at });
        Ok(())
    }

    /// The hash that the event must have. Where the check begins in the middle, that is the anchor's, and there is none
    /// if the event has another.
    fn hash_of(&self, link: &Link<'_>) -> Option<[u8; 32]> {
        match (&self.front, &self.from) {
            (None, Some(from)) => (from.hash == *link.hash).then_some(from.hash),
            (None, None) => Some(link.event.digest(&[])),
            (Some(front), _) => Some(link.event.digest(&front.anchor.hash)),
        }
    }
}
