//! The game's clock: the wall clock at boot, plus what the monotonic clock has counted since, plus what the console has added.
//!
//! A step of the machine's clock while the game runs changes nothing here. Every deadline, time to live and memory of keys is
//! counted on this clock, so that a console can let an hour pass in no time.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::Instant,
};

/// Milliseconds since 1970 by the game.
#[derive(Debug)]
pub struct GameClock {
    wall_at_boot_ms: i64,
    booted: Instant,
    offset_ms: AtomicI64,
}

impl GameClock {
    /// A clock that starts that many seconds ahead of the machine's wall clock.
    #[expect(clippy::disallowed_methods, reason = "the game's clock starts here; everything else asks it")]
    pub fn start(ahead_sec: i32) -> Self {
        Self::starting_at(chrono::Utc::now().timestamp_millis().saturating_add(i64::from(ahead_sec) * 1000))
    }

    /// A clock that starts at that instant, in milliseconds since 1970.
    pub fn starting_at(wall_ms: i64) -> Self {
        Self { wall_at_boot_ms: wall_ms, booted: Instant::now(), offset_ms: AtomicI64::new(0) }
    }

    /// Now, in milliseconds since 1970.
    pub fn now_ms(&self) -> i64 {
        let elapsed = i64::try_from(self.booted.elapsed().as_millis()).unwrap_or(i64::MAX);
        self.wall_at_boot_ms.saturating_add(elapsed).saturating_add(self.offset_ms())
    }

    /// How far the console has moved it, in milliseconds.
    pub fn offset_ms(&self) -> i64 {
        self.offset_ms.load(Ordering::Acquire)
    }

    /// Moves it forward by that many milliseconds. It is never moved back.
    pub fn advance(&self, by_ms: u32) {
        self.offset_ms.fetch_add(i64::from(by_ms), Ordering::AcqRel);
    }
}
