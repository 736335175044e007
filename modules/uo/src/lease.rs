//! Values that a game lends: keys of its configuration, dials of its spawners, seasons. The game holds each and puts it back at its
//! deadline; only what it says that takes effect can be borrowed.

use std::collections::BTreeSet;

use leasehold_link::wire::{Catalogue, Kind, ListLeases};
use leasehold_module::{Failure, InForce, LeaseApplied, LeaseApply, LeaseQuery, LeaseRestore, LeaseRestored, ParamType};
use leasehold_sidecar::{Sidecar, lease_applied, lease_in_force, lease_read, lease_restored, nonsense};

use crate::atlas::Atlas;
use crate::manifest::lends;

/// What a lease of the manifest is to the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lent {
    /// What the game calls it.
    pub key: String,
    pub value_type: ParamType,
}

/// What the game calls the value that a lease borrows.
pub fn lent(atlas: &Atlas, lease: &str) -> Result<Lent, Failure> {
    lends::find(atlas, lease).ok_or_else(|| Failure::refused("no_such_lease", format!("there is no lease {lease}")))
}

/// The same, of a value that is to be looked at or borrowed under this name: a spawner that has leases of its own goes by them alone, so
/// that nobody holds one value under two names.
pub fn lent_as_named(atlas: &Atlas, lease: &str) -> Result<Lent, Failure> {
    match lends::own_name(atlas, lease) {
        Some(own) => Err(Failure::refused("no_such_lease", format!("{lease} is lent as {own}, and under no other name"))),
        None => lent(atlas, lease),
    }
}

/// The value as it is now.
pub async fn read(sidecar: &Sidecar, lent: &Lent) -> Result<String, Failure> {
    lease_read(sidecar, &lent.key, lent.value_type).await
}

/// A season is one of three words; a number is held against what the game itself allows.
pub async fn apply(sidecar: &Sidecar, lent: &Lent, request: LeaseApply) -> Result<LeaseApplied, Failure> {
    if lent.value_type == ParamType::String && !lends::STATUSES.contains(&request.value.as_str()) {
        let reason = format!("{} takes {}, not {:?}", lent.key, lends::STATUSES.join(", "), request.value);
        return Err(Failure::refused("bad_value", reason));
    }
    lease_applied(sidecar, &lent.key, lent.value_type, request).await
}

/// The leases that the game has not in its catalogue.
pub async fn unlent(sidecar: &Sidecar, atlas: &Atlas) -> Result<BTreeSet<String>, Failure> {
    let reply = sidecar.command(Kind::LeaseList, &ListLeases::default(), None).await?;
    let catalogue: Catalogue =
        reply.fields().map_err(|error| nonsense(Kind::LeaseList, &format!("a catalogue that is none: {error}")))?;
    let lent: BTreeSet<String> = catalogue.leases.into_iter().map(|row| row.key).collect();
    // A dial of any spawner is lent where that of some is.
    let dials: BTreeSet<&str> = lent.iter().filter(|key| key.starts_with("object:")).filter_map(|key| dial_of(key)).collect();
    let is_lent = |key: &String| match dial_of(key).filter(|_| key.contains(lends::ANY)) {
        Some(dial) => dials.contains(dial),
        None => lent.contains(key),
    };
    Ok(lends::all(atlas).into_iter().filter(|(_, key)| !is_lent(key)).map(|(id, _)| id).collect())
}

fn dial_of(key: &str) -> Option<&str> {
    key.rsplit_once('.').map(|(_, dial)| dial)
}

pub async fn restore(sidecar: &Sidecar, lent: &Lent, request: LeaseRestore) -> Result<LeaseRestored, Failure> {
    lease_restored(sidecar, &lent.key, request).await
}

pub async fn in_force(sidecar: &Sidecar, lent: &Lent, request: &LeaseQuery) -> Result<InForce, Failure> {
    lease_in_force(sidecar, &lent.key, request).await
}
