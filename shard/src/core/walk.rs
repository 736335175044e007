//! A snapshot of many members, walked a piece a tick: resolving two thousand names at once would keep the world waiting. Until it is
//! done its key is in flight, and a repeat of it is busy.

use super::Core;
use crate::{
    call::Call,
    handlers::participation::{counted, row, told},
    participation::Tally,
};
use leasehold_link::wire::{MemberRow, Serial};
use std::io;

/// A snapshot under way.
pub(super) struct Walk {
    call: Call,
    /// As it was when the walk began; later arrivals are in the next snapshot.
    tally: Tally,
    at_ms: i64,
    rows: Vec<MemberRow>,
    /// Up to which member it has come.
    last: Option<Serial>,
}

impl Core {
    /// Begins a walk where there is more to tell than fits one piece; else gives the call back, also one that will be refused.
    pub(super) fn begin_walk(&mut self, call: Call) -> Option<Call> {
        let Ok(tally) = counted(&call, &mut self.game) else { return Some(call) };
        if tally.members.len() <= self.piece() {
            return Some(call);
        }
        let (at_ms, rows) = (self.game.now_ms, Vec::with_capacity(tally.members.len()));
        self.walks.push_back(Walk { call, tally, at_ms, rows, last: None });
        None
    }

    /// Goes on with the walk that began first, by one piece.
    pub(super) fn walk_on(&mut self) -> io::Result<()> {
        let piece = self.piece();
        let Some(walk) = self.walks.front_mut() else { return Ok(()) };
        let from = walk.last.map_or(std::ops::Bound::Unbounded, std::ops::Bound::Excluded);
        let next = walk.tally.members.range((from, std::ops::Bound::Unbounded)).take(piece);
        let weights = walk.tally.weights;
        walk.rows.extend(next.map(|(serial, member)| row(*serial, member, weights, &self.game.world)));
        walk.last = walk.rows.last().map(|row| row.0);
        if walk.rows.len() < walk.tally.members.len() {
            return Ok(());
        }
        let Some(Walk { call, tally, at_ms, rows, .. }) = self.walks.pop_front() else { return Ok(()) };
        match self.admit(&call) {
            Ok(()) => self.conclude(&call, told(&tally, rows, at_ms)),
            Err(refusal) => self.refuse_begun(&call, refusal),
        }
    }

    /// How many members are resolved at once.
    fn piece(&self) -> usize {
        self.game.config.count("Bridge.ParticipationSnapshotChunk").max(1)
    }
}
