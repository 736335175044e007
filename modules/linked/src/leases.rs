//! The manifest's leases: borrowed as plans name them, within the bounds that the manifest gives.

use std::cmp::Ordering;

use leasehold_module::{Failure, InForce, Lease, LeaseApplied, LeaseApply, LeaseQuery, LeaseRestore, LeaseRestored, compare};
use leasehold_sidecar::{Sidecar, lease_applied, lease_in_force, lease_read, lease_restored};

pub async fn read(sidecar: &Sidecar, lease: &Lease, request: &LeaseQuery) -> Result<String, Failure> {
    lease_read(sidecar, &request.lease, lease.value_type).await
}

pub async fn apply(sidecar: &Sidecar, lease: &Lease, request: LeaseApply) -> Result<LeaseApplied, Failure> {
    within(lease, &request)?;
    let key = request.lease.clone();
    lease_applied(sidecar, &key, lease.value_type, request).await
}

pub async fn restore(sidecar: &Sidecar, request: LeaseRestore) -> Result<LeaseRestored, Failure> {
    let id = request.lease.clone();
    lease_restored(sidecar, &id, request).await
}

pub async fn in_force(sidecar: &Sidecar, request: &LeaseQuery) -> Result<InForce, Failure> {
    lease_in_force(sidecar, &request.lease, request).await
}

/// What the manifest allows, whatever the game would: neither is trusted alone.
fn within(lease: &Lease, request: &LeaseApply) -> Result<(), Failure> {
    let beyond = |bound: &Option<String>, wrong| {
        bound.as_deref().is_some_and(|bound| compare(lease.value_type, &request.value, bound).is_none_or(|is| is == wrong))
    };
    if beyond(&lease.min, Ordering::Less) || beyond(&lease.max, Ordering::Greater) {
        let reason = format!("the manifest allows {:?} to {:?}, not {:?}", lease.min, lease.max, request.value);
        return Err(Failure::refused("out_of_range", reason));
    }
    if request.hold_ms > lease.max_duration_ms {
        let reason = format!("the manifest lends it for at most {} ms, not {}", lease.max_duration_ms, request.hold_ms);
        return Err(Failure::refused("hold_too_long", reason));
    }
    Ok(())
}
