//! How patient the module is.

use std::time::Duration;

/// Milliseconds that an action gets beyond the client's own time-out.
const MARGIN_MS: u64 = 3_000;

/// Milliseconds for a connection to be made, at most.
const LONGEST_CONNECT_MS: u64 = 3_000;

/// What an operator may set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Milliseconds to wait for a sidecar's answer; at most 3,590,000. The sidecar itself gives the game less, so that it
    /// answers `no_answer` before the connection is given up.
    pub reply_timeout_ms: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self { reply_timeout_ms: 12_000 }
    }
}

impl Patience {
    /// What each action declares: always longer than the client waits, because an engine that gives up first never learns
    /// how the attempt ended.
    pub fn budget_ms(self) -> u64 {
        self.reply_timeout_ms.saturating_add(MARGIN_MS)
    }

    /// Shorter than the wait for an answer, so that a host that is not there reads as "nothing was sent".
    pub(crate) fn connect_timeout(self) -> Duration {
        Duration::from_millis((self.reply_timeout_ms / 2).min(LONGEST_CONNECT_MS))
    }

    pub(crate) fn reply_timeout(self) -> Duration {
        Duration::from_millis(self.reply_timeout_ms)
    }
}
