//! The way of a module to its games: one sidecar a scope, over HTTP, and what its answers are worth.
//!
//! Every module that speaks [the wire](leasehold_link::wire) has this in common; what it asks of its game is its own.

mod leases;
mod patience;
mod reports;
mod sidecar;
mod verdict;
mod ways;

pub use leases::{lease_applied, lease_in_force, lease_read, lease_restored};
pub use patience::Patience;
pub use reports::{fingerprint, read_feed};
pub use sidecar::Sidecar;
pub use verdict::nonsense;
pub use ways::Ways;
