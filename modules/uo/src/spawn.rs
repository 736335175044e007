//! `uo.creature.spawn` and `uo.boss.spawn`: creatures at a landmark, each recorded by its serial.

use std::collections::BTreeSet;

use leasehold_link::wire::limits::{BOSSES_PER_RUN, CREATURES_PER_RUN};
use leasehold_link::wire::{Boss, Kind, Reply, Serial, Spawn, Spawned};
use leasehold_module::{Failure, Perform, Resource, Success};
use leasehold_sidecar::{Sidecar, nonsense};

use crate::atlas::Atlas;
use crate::params;
use crate::placing;
use crate::removal::CREATURE;

pub const ID: &str = "uo.creature.spawn";
pub const BOSS_ID: &str = "uo.boss.spawn";

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
        boss: boss(request)?,
        stamp: params::stamp(request),
    })
}

/// How much stronger than its kind, where the action makes boss variants.
fn boss(request: &Perform) -> Result<Option<Boss>, Failure> {
    if request.action != BOSS_ID {
        return Ok(None);
    }
    let percent = |name: &str, usual: u32| Ok(params::number(&request.params, name)?.unwrap_or(usual));
    Ok(Some(Boss { hits: percent("hits", 400)?, damage: percent("damage", 150)? }))
}

/// Asks only what changes nothing: is a game there, does it let schedules change the world, is this not too many.
async fn verify(sidecar: &Sidecar, body: &Spawn) -> Result<Success, Failure> {
    if body.count as usize > CREATURES_PER_RUN {
        let reason = format!("a game lets one run own {CREATURES_PER_RUN} creatures, this asks for {}", body.count);
        return Err(Failure::refused("ceiling_exceeded", reason));
    }
    if body.boss.is_some() && body.count as usize > BOSSES_PER_RUN {
        let reason = format!("a game lets one run own {BOSSES_PER_RUN} boss variants, this asks for {}", body.count);
        return Err(Failure::refused("bosses_exceeded", reason));
    }
    placing::rehearse(sidecar).await
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
