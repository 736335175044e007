//! Trigger files: what an operator lets happen by itself when a trigger fires.
//!
//! A file grants timing and never capability: what it starts must be published and verified as anything that starts unattended,
//! and runs under the same switches, caps and freezes. Its firings are claimed in one table ([`crate::log::Claimed`]), whoever
//! comes first: the engine that recorded the signal, the consumer `triggers` that follows the log, or whoever takes over a
//! claim that was left behind. An event that too many firings have led to is refused, and that is put on record.

mod dispatcher;
mod file;
mod fire;
mod in_force;
mod unheard;

pub use dispatcher::Dispatcher;
pub use file::{TriggerFault, TriggerFile, TriggerText, discover};
pub use in_force::TriggerFiles;

use std::time::Duration;

/// How old a claim must be before another process takes it over.
///
/// The longest that a living process can be at one firing: it starts a run, which is decided 50 times at most, and each time
/// waits 5 seconds for a connection and 5 for the log's lock at most. Twice that is a bound which no living firing reaches.
/// Whoever changes one of these numbers derives this one anew: overshooting costs a dead process's firing that much delay,
/// undershooting carries out a slow one twice.
pub const STALE_AFTER: Duration = Duration::from_secs(2 * 50 * (5 + 5));
