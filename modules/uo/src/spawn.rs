//! `uo.creature.spawn`: creatures at a landmark, each recorded by its serial, and their removal.

use std::collections::BTreeSet;

use leasehold_link::wire::limits::CREATURES_PER_RUN;
use leasehold_link::wire::{Despawn, Despawned, Kind, Reply, Serial, Spawn, Spawned, Stamp};
use leasehold_module::{Failure, Perform, Resource, Revert, RevertTarget, Success, Undone, UndoneOutcome};

use crate::atlas::Atlas;
use crate::params;
use crate::sidecar::Sidecar;
use crate::verdict::nonsense;

pub const ID: &str = "uo.creature.spawn";

/// The kind of resource; its reference is the serial.
const CREATURE: &str = "creature";

pub async fn perform(sidecar: &Sidecar, atlas: &Atlas, request: Perform) -> Result<Success, Failure> {
    let body = command(atlas, &request)?;
    if request.verify {
        return verify(sidecar, &body).await;
    }
    let reply = sidecar.command(Kind::WorldSpawn, &body, request.mark.as_ref()).await?;
    let serials = placed(&reply, body.count)?;
    let words =
        (serials.len() < body.count as usize).then(|| format!("the game placed {} of {} creatures", serials.len(), body.count));
    let resources =
        serials.into_iter().map(|serial| Resource { kind: CREATURE.into(), reference: serial.to_string(), member_key: None });
    Ok(Success { resources: resources.collect(), words, replayed: reply.replayed, ..Success::default() })
}

fn command(atlas: &Atlas, request: &Perform) -> Result<Spawn, Failure> {
    let landmark = atlas.landmark(&params::text(&request.params, "location")?)?;
    let creature = atlas.creature(&params::text(&request.params, "creature")?)?;
    let count = params::number(&request.params, "count")?.filter(|count| *count >= 1);
    Ok(Spawn {
        map: landmark.map.clone(),
        x: landmark.x,
        y: landmark.y,
        radius: None,
        creature: creature.value.clone(),
        count: count.ok_or_else(|| Failure::refused("wrong_params", "count must be at least 1"))?,
        name: params::optional_text(&request.params, "name")?,
        hue: params::number(&request.params, "hue")?,
        stamp: params::stamp(request),
    })
}

/// Asks only what changes nothing: is a game there, does it let schedules change the world, is this not too many.
async fn verify(sidecar: &Sidecar, body: &Spawn) -> Result<Success, Failure> {
    if body.count as usize > CREATURES_PER_RUN {
        let reason = format!("a game lets one run own {CREATURES_PER_RUN} creatures, this asks for {}", body.count);
        return Err(Failure::refused("ceiling_exceeded", reason));
    }
    sidecar.connected().await?;
    sidecar.command(Kind::LeaseList, &(), None).await?;
    Ok(Success::default())
}

/// The serials of a yes: at least one, no more than asked for, each once.
fn placed(reply: &Reply, asked: u32) -> Result<Vec<Serial>, Failure> {
    let told = |what: String| nonsense(Kind::WorldSpawn, &what);
    let spawned: Spawned = reply.fields().map_err(|error| told(format!("a yes without serials: {error}")))?;
    let distinct: BTreeSet<_> = spawned.serials.iter().collect();
    if distinct.len() != spawned.serials.len() || !(1..=asked as usize).contains(&distinct.len()) {
        return Err(told(format!("{} serials, of which {} distinct, for {asked}", spawned.serials.len(), distinct.len())));
    }
    Ok(spawned.serials)
}

/// Takes creatures away by serial, or, when the answer that named them was lost, whatever the key made.
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
    let reason = format!("{} of the creatures that the key made belong to somebody else now", despawned.refused.len());
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

fn serial_of(target: &RevertTarget) -> Result<Serial, String> {
    if target.kind != CREATURE {
        return Err(format!("this module makes no {}", target.kind));
    }
    target.reference.parse().map_err(|error: leasehold_link::wire::serial::NotASerial| error.to_string())
}
