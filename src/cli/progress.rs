//! Telling a person at a terminal how far a long reading has come.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Between two words about it.
const PAUSE: Duration = Duration::from_millis(200);

/// One line on standard error that is written over and over; nothing where that is no terminal.
pub struct Progress {
    shown: bool,
    began: Instant,
    told: Option<Instant>,
    /// How many there are, as far as is known.
    of: u64,
}

impl Progress {
    pub fn of(of: u64) -> Self {
        Self { shown: std::io::stderr().is_terminal(), began: Instant::now(), told: None, of }
    }

    /// So many events have been dealt with.
    pub fn at(&mut self, events: u64) {
        let now = Instant::now();
        if !self.shown || self.told.is_some_and(|told| now - told < PAUSE) {
            return;
        }
        self.told = Some(now);
        let _ = write!(std::io::stderr(), "\r\x1b[K{}", sentence(events, self.of, now - self.began));
    }
}

impl Drop for Progress {
    /// Leaves the line empty for what is printed next.
    fn drop(&mut self) {
        if self.told.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

fn sentence(events: u64, of: u64, spent: Duration) -> String {
    let milliseconds = spent.as_millis().max(1);
    let rate = u128::from(events) * 1_000 / milliseconds;
    let left = u128::from(of.saturating_sub(events)).checked_div(rate).map_or(String::new(), |left| format!(", {left} s left"));
    let percent = (u128::from(events) * 100).checked_div(u128::from(of)).unwrap_or(100).min(100);
    format!("{events} of {} events ({percent} %), {rate} a second{left}", of.max(events))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_how_far_how_fast_and_how_long_still() {
        let second = Duration::from_secs(1);
        assert_eq!(sentence(250, 1_000, second), "250 of 1000 events (25 %), 250 a second, 3 s left");
        assert_eq!(sentence(1_200, 1_000, second), "1200 of 1200 events (100 %), 1200 a second, 0 s left");
        assert_eq!(sentence(0, 0, Duration::ZERO), "0 of 0 events (100 %), 0 a second");
    }
}
