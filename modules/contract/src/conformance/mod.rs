//! What every module owes, one obligation at a time, tried against its real game.
//!
//! [`check`] drives a module through everything that an engine would ask of it, and through everything that may go wrong
//! meanwhile, and looks at the world after each step with eyes other than the module's own. It answers what it found, by
//! obligation; an empty list is a module that can be trusted with a night. The world is as before when it ends, if the module is sound.

mod asking;
mod bench;
mod closing;
mod declared;
mod difference;
mod faults;
mod finding;
mod leases;
mod looking;
mod once;
mod options;
mod undone;

pub use bench::{Asked, Bench, Point};
pub use finding::{Finding, Obligation};

use crate::{Lease, Reversible};
use asking::Trial;

/// Every obligation, over everything that the module declares.
pub async fn check(bench: &dyn Bench) -> Vec<Finding> {
    let mut trial = Trial::new(bench);
    declared::check(&mut trial).await;
    let manifest = bench.module().manifest().clone();
    for action in manifest.actions.iter().filter(|action| bench.tries(&action.id)) {
        // First of all whether it can be undone: whatever follows leaves the world to that.
        if action.reversible == Reversible::Ledger {
            undone::check(&mut trial, action).await;
            looking::check(&mut trial, action).await;
        }
        once::check(&mut trial, action).await;
        closing::check(&mut trial, action).await;
        faults::check(&mut trial, action).await;
    }
    for lease in manifest.leases.iter().filter(|lease| bench.tries(&lease.id)) {
        leases::check(&mut trial, &named(bench, lease)).await;
    }
    for source in &manifest.option_sources {
        options::check(&mut trial, source).await;
    }
    trial.findings
}

/// The lease as a plan names it: of many alike, one.
fn named(bench: &dyn Bench, lease: &Lease) -> Lease {
    if lease.object.is_none() {
        return lease.clone();
    }
    Lease { id: format!("{}@{}", lease.id, bench.object(lease)), ..lease.clone() }
}

#[cfg(test)]
mod tests;
