//! `uo.world.save`: writes the world to disk. Too soon after the last save it is refused, and waiting mends that.

use leasehold_link::wire::{Kind, SaveWorld, WorldSaved};
use leasehold_module::{Failure, Perform, Success};
use leasehold_sidecar::{Sidecar, nonsense};

use crate::{params, placing};

pub const ID: &str = "uo.world.save";

pub async fn perform(sidecar: &Sidecar, request: Perform) -> Result<Success, Failure> {
    if request.verify {
        return placing::rehearse(sidecar).await;
    }
    let body = SaveWorld { stamp: params::stamp(&request) };
    let reply = sidecar.command(Kind::WorldSave, &body, request.mark.as_ref()).await?;
    let told = |error| nonsense(Kind::WorldSave, &format!("a yes without its numbers: {error}"));
    let WorldSaved { creatures, objects, players } = reply.fields().map_err(told)?;
    let words = format!("saved {creatures} creatures, {objects} objects and {players} characters");
    Ok(Success { words: Some(words), replayed: reply.replayed, ..Success::default() })
}
