//! `core.lease`: borrow a value. The engine drives it itself, by the lease that it names: target, conflict, duration,
//! deadline and restore are the engine's, reading and writing the value the declaring module's.

use leasehold_module::{Failure, Performed};

pub const ID: &str = "core.lease";
pub const LEASES: &str = "core.options.leases";

/// Never part of a run: a lease that came this way would have no baseline and no entry in the ledger.
pub fn perform() -> Performed {
    let reason = "a lease is applied through its own declaration, which records a baseline first; it cannot be performed";
    Performed::Failed(Failure::refused("held_by_the_engine", reason))
}
