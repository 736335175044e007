//! What the key store has done since boot.

use serde::Serialize;

/// Counts since boot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Commands that carried a key.
    pub seen: u64,
    pub replayed: u64,
    pub busy: u64,
    /// Keys dropped while still alive: the guarantee's one hole.
    pub evicted: u64,
    /// Handlers that ran and answered nothing.
    pub uncorrelated: u64,
    /// Commands refused because of their key: it belongs to another command, or every key is in flight.
    pub refused: u64,
    /// Keys released because their handler refused.
    pub released: u64,
    /// Repeats of a key that a restart interrupted.
    pub interrupted: u64,
}

impl Counters {
    /// One line for a console.
    pub fn line(&self, keys: usize) -> String {
        let Self { seen, replayed, busy, evicted, uncorrelated, refused, .. } = self;
        format!(
            "idem(keys={keys} seen={seen} replayed={replayed} busy={busy} evicted={evicted} uncorrelated={uncorrelated} refused={refused})"
        )
    }
}
