//! Rewinds: has the world been sent commands from a place that this log does not hold?
//!
//! Every command that changes something goes out with the place of its claim, and the way to the game keeps the highest
//! before it carries the command. What the log promises, it can promise only for as long as it is not put back to an older
//! copy or replaced; so each way is asked at the start, and one that does not answer then before the first command goes over
//! it. If it has seen a place that is not in this log, this process appends nothing and sends nothing any more, until a
//! person starts it with the word that history goes on from here. That is an event, so that it is asked once.
//!
//! A place is a position *and* its hash. An engine that crashed, one that lags behind another, a way that was restarted or
//! has lost its memory: none of them makes a place that the log does not hold.

mod accept;
mod ask;
mod found;
mod marks;
mod watch;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::OnceCell;

pub use found::{Rewound, WHAT_NOW};

use super::Engine;

/// This process appends nothing and sends nothing any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOnly;

/// What this process knows of the ways to its games.
#[derive(Default)]
pub struct Rewinds {
    /// The operator has said that history goes on from here.
    accept: AtomicBool,
    log_name: OnceCell<String>,
    /// One question at a time, so that nothing is accepted twice.
    asking: tokio::sync::Mutex<()>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// Ways, by module and scope, that commands may go over.
    clear: BTreeSet<(String, String)>,
    found: Vec<Rewound>,
}

impl Rewinds {
    /// Whether rewinds that are found are accepted from now on.
    pub fn accept(&self, accept: bool) {
        self.accept.store(accept, Ordering::Relaxed);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine {
    /// What was found and not accepted. If there is anything, this process is read-only until it ends.
    pub fn rewound(&self) -> Vec<Rewound> {
        self.rewinds.known().found.clone()
    }

    /// Whether this process may append and send nothing.
    pub fn is_read_only(&self) -> bool {
        !self.rewinds.known().found.is_empty()
    }
}
