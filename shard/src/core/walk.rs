//! A snapshot of many members, walked a piece a tick: resolving two thousand names at once would keep the world waiting. Until it is
//! done its key is in flight, and a repeat of it is busy.

use super::Core;
use crate::{
    call::Call,
    handlers::participation::{counted, row, told},
    participation::Tally,
};
use leasehold_link::wire::Serial;
use serde_json::Value;
use std::{io, ops::Bound};

/// A snapshot under way.
pub(super) struct Walk {
    call: Call,
    /// As it was when the walk began; later arrivals are in the next snapshot.
    tally: Tally,
    at_ms: i64,
    /// Each as it will be told, so that little is left to do at the end.
    rows: Vec<Value>,
    /// Up to which member it has come.
    last: Option<Serial>,
}

/// How much work the walks have been.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// Members resolved in this tick so far.
    pub this_tick: usize,
    /// The most in any tick since that was last told.
    pub most: usize,
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
        let from = walk.last.map_or(Bound::Unbounded, Bound::Excluded);
        let before = walk.rows.len();
        for (serial, member) in walk.tally.members.range((from, Bound::Unbounded)).take(piece) {
            walk.rows.push(row(*serial, member, walk.tally.weights, &self.game.world));
            walk.last = Some(*serial);
        }
        self.walked.this_tick += walk.rows.len() - before;
        self.walked.most = self.walked.most.max(self.walked.this_tick);
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
