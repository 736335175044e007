//! What this module makes in a world, and how it is taken away: by serial, or by the key that made it.

use std::collections::BTreeSet;

use leasehold_link::wire::{Despawn, Despawned, Kind, Serial, Stamp};
use leasehold_module::{Failure, Revert, RevertTarget, Undone, UndoneOutcome};
use leasehold_sidecar::{Sidecar, nonsense};

/// The kinds of resources; the reference of each is its serial.
pub const CREATURE: &str = "creature";
pub const NPC: &str = "npc";
pub const GATE: &str = "gate";
pub const DECORATION: &str = "decoration";
pub const NOTICE: &str = "notice";

const KINDS: [&str; 5] = [CREATURE, NPC, GATE, DECORATION, NOTICE];

/// Takes objects away by serial, or, when the answer that named them was lost, whatever the key made.
pub async fn revert(sidecar: &Sidecar, request: Revert) -> Result<Vec<Undone>, Failure> {
    let by_key = request.resources.is_empty();
    let asked: Vec<_> = request.resources.iter().map(|target| (target, serial_of(target))).collect();
    let serials: BTreeSet<Serial> = asked.iter().filter_map(|(_, serial)| serial.as_ref().ok().copied()).collect();
    let despawned = if by_key || !serials.is_empty() {
        despawn(sidecar, &request, serials.into_iter().collect(), by_key).await?
    } else {
        Despawned::default()
    };
    if by_key {
        return whole_key(&despawned).map(|()| Vec::new());
    }
    let undone = asked.into_iter().map(|(target, serial)| {
        let outcome = serial.map_or_else(|why| Ok(UndoneOutcome::Refused(why)), |serial| fate_of(serial, &despawned))?;
        Ok(Undone { kind: target.kind.clone(), reference: target.reference.clone(), outcome })
    });
    undone.collect()
}

async fn despawn(sidecar: &Sidecar, request: &Revert, serials: Vec<Serial>, by_key: bool) -> Result<Despawned, Failure> {
    let body = Despawn {
        serials,
        for_key: by_key.then(|| request.perform_key.clone()),
        stamp: Stamp {
            run_id: request.run_id.clone(),
            // An undo passes whatever the fence.
            fence: 0,
            ttl_ms: sidecar.patience_ms(),
            idempotency_key: request.idempotency_key.clone(),
        },
    };
    let reply = sidecar.command(Kind::WorldDespawn, &body, request.mark.as_ref()).await?;
    reply.fields().map_err(|error| nonsense(Kind::WorldDespawn, &format!("a yes without its lists: {error}")))
}

fn whole_key(despawned: &Despawned) -> Result<(), Failure> {
    if despawned.refused.is_empty() {
        return Ok(());
    }
    let reason = format!("{} of the objects that the key made belong to somebody else now", despawned.refused.len());
    Err(Failure::refused("not_owned", reason))
}

/// Where the answer puts one serial; an answer that passes it over, or names it twice, says nothing.
fn fate_of(serial: Serial, despawned: &Despawned) -> Result<UndoneOutcome, Failure> {
    let refused = || UndoneOutcome::Refused("the game says that it does not belong to this run".to_owned());
    let named = [
        despawned.removed.contains(&serial).then_some(UndoneOutcome::Removed),
        despawned.gone.contains(&serial).then_some(UndoneOutcome::Gone),
        despawned.refused.contains(&serial).then(refused),
    ];
    let mut named = named.into_iter().flatten();
    match (named.next(), named.next()) {
        (Some(outcome), None) => Ok(outcome),
        _ => Err(nonsense(Kind::WorldDespawn, &format!("a yes that does not say once what became of {serial}"))),
    }
}

pub fn serial_of(target: &RevertTarget) -> Result<Serial, String> {
    if !KINDS.contains(&target.kind.as_str()) {
        return Err(format!("this module makes no {}", target.kind));
    }
    target.reference.parse().map_err(|error: leasehold_link::wire::serial::NotASerial| error.to_string())
}
