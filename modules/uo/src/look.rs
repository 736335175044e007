//! Which of a run's objects the game still has, by serial.

use std::collections::BTreeSet;

use leasehold_link::wire::{Kind, LookAt, LookedAt, Serial};
use leasehold_module::{Failure, Reconcile, RevertTarget, Seen, Standing};
use leasehold_sidecar::{Sidecar, nonsense};

use crate::removal::serial_of;

/// What the game says of each. What this module cannot have made is not asked about, and nobody can tell of it.
pub async fn reconcile(sidecar: &Sidecar, request: Reconcile) -> Result<Vec<Seen>, Failure> {
    let asked: Vec<_> = request.resources.iter().map(|target| (target, serial_of(target).ok())).collect();
    let serials: BTreeSet<Serial> = asked.iter().filter_map(|(_, serial)| *serial).collect();
    let looked = if serials.is_empty() {
        LookedAt::default()
    } else {
        let body = LookAt { run_id: request.run_id, serials: serials.into_iter().collect() };
        let reply = sidecar.command(Kind::WorldLook, &body, None).await?;
        reply.fields().map_err(|error| nonsense(Kind::WorldLook, &format!("a yes without its lists: {error}")))?
    };
    Ok(asked.into_iter().map(|(target, serial)| seen(target, serial, &looked)).collect())
}

/// An answer that passes a serial over, or names it twice, does not tell.
fn seen(target: &RevertTarget, serial: Option<Serial>, looked: &LookedAt) -> Seen {
    let named = |list: &[Serial], standing| serial.filter(|serial| list.contains(serial)).map(|_| standing);
    let named = [
        named(&looked.present, Standing::Present),
        named(&looked.gone, Standing::Gone),
        named(&looked.unknown, Standing::Unknown),
    ];
    let mut named = named.into_iter().flatten();
    let standing = match (named.next(), named.next()) {
        (Some(standing), None) => standing,
        _ => Standing::Unknown,
    };
    Seen { kind: target.kind.clone(), reference: target.reference.clone(), standing }
}
