//! `uo.config.skillcap`: what a character made from now on may learn. The game holds it, and puts it back at its deadline.

use leasehold_module::{Failure, InForce, LeaseApplied, LeaseApply, LeaseQuery, LeaseRestore, LeaseRestored, ParamType};
use leasehold_sidecar::{Sidecar, lease_applied, lease_in_force, lease_read, lease_restored};

pub const SKILL_CAP: &str = "uo.config.skillcap";

/// What the game calls the value that a lease borrows.
pub fn key_of(lease: &str) -> Result<&'static str, Failure> {
    match lease {
        SKILL_CAP => Ok("PlayerCaps.SkillCap"),
        _ => Err(Failure::refused("no_such_lease", format!("there is no lease {lease}"))),
    }
}

/// The value as it is now.
pub async fn read(sidecar: &Sidecar, request: &LeaseQuery) -> Result<String, Failure> {
    lease_read(sidecar, key_of(&request.lease)?, ParamType::Int).await
}

pub async fn apply(sidecar: &Sidecar, request: LeaseApply) -> Result<LeaseApplied, Failure> {
    lease_applied(sidecar, key_of(&request.lease)?, ParamType::Int, request).await
}

pub async fn restore(sidecar: &Sidecar, request: LeaseRestore) -> Result<LeaseRestored, Failure> {
    lease_restored(sidecar, key_of(&request.lease)?, request).await
}

pub async fn in_force(sidecar: &Sidecar, request: &LeaseQuery) -> Result<InForce, Failure> {
    lease_in_force(sidecar, key_of(&request.lease)?, request).await
}
