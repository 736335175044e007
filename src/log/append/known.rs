//! What the append task knows without asking: the head of the log, where streams end, and how late it is there. Exact as of
//! the head; whether the head is still the head, the schema says when something is written behind it.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use lru::LruCache;

use crate::log::stream::{Head, StreamId};

/// Streams whose ends are remembered.
const STREAMS: NonZeroUsize = NonZeroUsize::new(1 << 16).unwrap();
/// How long the database's clock is carried on by ours. Then it is read again.
const CARRIED: Duration = Duration::from_secs(1);
/// One part in this many is what two clocks may differ in pace: twice what a clock that is being corrected does.
const PACE: u32 = 1_000;

pub(in crate::log) struct Known {
    /// The newest event that we know of.
    pub head: Option<Head>,
    /// The newest event of our own last commit: it and all before it are on disk.
    pub settled: Option<Head>,
    /// Whether `head` was the head when we looked last: false before the first look, and whenever something went wrong.
    pub in_step: bool,
    /// Counts how often everything was forgotten.
    pub era: u64,
    clock: Option<(DateTime<Utc>, Instant)>,
    ends: LruCache<StreamId, u64>,
}

/// What is known now. Nobody waits for the database while holding it.
pub(in crate::log) fn of(known: &Mutex<Known>) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Known {
    pub fn nothing() -> Self {
        Self { head: None, settled: None, in_step: false, era: 0, clock: None, ends: LruCache::new(STREAMS) }
    }

    /// The sequence at which the stream ends; none if that is not remembered.
    pub fn end(&mut self, stream: &StreamId) -> Option<u64> {
        self.ends.get(stream).copied()
    }

    pub fn ends_at(&mut self, stream: &StreamId, sequence: u64) {
        if let Some(end) = self.ends.get_mut(stream) {
            *end = sequence;
        } else {
            self.ends.put(stream.clone(), sequence);
        }
    }

    /// A batch has committed: its streams end there, and this is the head.
    pub fn committed(&mut self, ends: &BTreeMap<&StreamId, u64>, head: Option<Head>) {
        for (stream, end) in ends {
            self.ends_at(stream, *end);
        }
        self.settled.clone_from(&head);
        self.head = head;
    }

    /// Forgets where streams end: more happened than is worth reading.
    pub fn forget(&mut self) {
        self.ends.clear();
        self.era += 1;
    }

    /// The database's clock showed `clock` at some moment before now.
    pub fn heard(&mut self, clock: DateTime<Utc>, now: Instant) {
        self.clock = Some((clock, now));
    }

    /// An instant that the database's clock has reached, in whole microseconds and close to what it shows; none if it was not
    /// read lately.
    pub fn clock(&self, now: Instant) -> Option<DateTime<Utc>> {
        let (clock, heard) = self.clock?;
        let passed = now.saturating_duration_since(heard);
        let carried = clock + passed.saturating_sub(passed / PACE);
        (passed < CARRIED).then(|| carried.duration_trunc(TimeDelta::microseconds(1)).unwrap_or(clock))
    }
}
