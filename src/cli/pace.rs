//! Progress on standard error: one line that changes on a terminal, and elsewhere a line now and then.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::engine::projector::Rate;

/// Between two lines where there is no terminal.
const SELDOM: Duration = Duration::from_secs(5);

pub struct Progress {
    what: String,
    terminal: bool,
    rate: Rate,
    told: Option<Instant>,
}

impl Progress {
    /// Of `what`, which has come to `position` already. Where it is not `alone`, no line is written over.
    pub fn starting(what: String, alone: bool, position: u64) -> Self {
        let terminal = alone && std::io::stderr().is_terminal();
        Self { what, terminal, rate: Rate::starting(position, Instant::now()), told: None }
    }

    /// It has come to `position` of `head`.
    pub fn tell(&mut self, position: u64, head: u64) {
        let now = Instant::now();
        self.rate.look(position, now);
        if !self.terminal && self.told.is_some_and(|told| now.duration_since(told) < SELDOM) {
            return;
        }
        self.told = Some(now);
        let line = line(&self.what, position, head, &self.rate);
        let mut stderr = std::io::stderr().lock();
        // Somebody who does not listen any more is no reason to stop.
        let _ = if self.terminal { write!(stderr, "\r\x1b[K{line}") } else { writeln!(stderr, "{line}") };
        let _ = stderr.flush();
    }

    /// Leaves the line as it is.
    pub fn end(&self) {
        if self.terminal && self.told.is_some() {
            let _ = writeln!(std::io::stderr());
        }
    }
}

fn line(what: &str, position: u64, head: u64, rate: &Rate) -> String {
    let percent = position.saturating_mul(100).checked_div(head).unwrap_or(100);
    let speed = rate.per_second().map(|rate| format!(", {rate} events/s")).unwrap_or_default();
    let left = rate.seconds_left(head).map(|left| format!(", {left} s left")).unwrap_or_default();
    format!("{what}: {position} of {head} ({percent} %){speed}{left}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_position_rate_and_time_left() {
        let start = Instant::now();
        let mut rate = Rate::starting(0, start);
        assert_eq!(line("runs", 0, 0, &rate), "runs: 0 of 0 (100 %)");
        rate.look(250_000, start + Duration::from_secs(1));
        assert_eq!(line("runs", 250_000, 1_000_000, &rate), "runs: 250000 of 1000000 (25 %), 250000 events/s, 3 s left");
    }
}
