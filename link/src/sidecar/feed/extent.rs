//! From which number to which each scope's reports are kept, for whoever waits for more.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};
use tokio::sync::watch;

/// The numbers that are kept. Numbers begin with 1, so that `oldest - 1` reports have been dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The oldest that is kept; one more than `newest` where none is.
    pub oldest: u64,
    pub newest: u64,
}

impl Extent {
    /// Of a scope that has never reported.
    pub const EMPTY: Self = Self { oldest: 1, newest: 0 };
}

/// What is on disk, in memory.
pub struct Extents {
    known: Mutex<Known>,
    /// Counts the changes.
    changes: watch::Sender<u64>,
}

struct Known {
    each: BTreeMap<String, Extent>,
    fault: Option<String>,
}

impl Extents {
    pub fn new(each: BTreeMap<String, Extent>) -> Self {
        Self { known: Mutex::new(Known { each, fault: None }), changes: watch::channel(0).0 }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn of(&self, scope: &str) -> Extent {
        self.known().each.get(scope).copied().unwrap_or(Extent::EMPTY)
    }

    pub fn scopes(&self) -> Vec<String> {
        self.known().each.keys().cloned().collect()
    }

    pub fn fault(&self) -> Option<String> {
        self.known().fault.clone()
    }

    /// It was written: whoever waits looks again.
    pub fn written(&self, now: impl IntoIterator<Item = (String, Extent)>) {
        let mut known = self.known();
        known.each.extend(now);
        known.fault = None;
        drop(known);
        self.changes.send_modify(|count| *count += 1);
    }

    /// It could not be written.
    pub fn failed(&self, why: String) {
        self.known().fault = Some(why);
    }

    pub async fn grown_past(&self, scope: &str, number: u64) {
        let mut changes = self.changes.subscribe();
        // The sender lives as long as this.
        let _ = changes.wait_for(|_| self.of(scope).newest > number).await;
    }
}
