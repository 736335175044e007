//! `world.despawn`: takes away what the run owns. What is not there any more is no fault, what belongs to another stays.

use super::Done;
use crate::{
    call::{Call, bad_field},
    game::Game,
    world::Standing,
};
use leasehold_link::wire::{Despawn, Despawned, Kind, Refusal, Serial, limits};
use std::collections::BTreeSet;

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let order: Despawn = call.fields()?;
    if order.serials.len() > limits::SERIALS_MAX {
        return Err(bad_field(format!("{} serials are more than {}", order.serials.len(), limits::SERIALS_MAX)));
    }
    if order.serials.is_empty() && order.for_key.is_none() {
        return Err(bad_field("serials or forKey must say what to remove"));
    }
    let mut found = Despawned::default();
    for serial in wanted(&order, game) {
        let list = match game.world.standing(serial) {
            Standing::Gone => &mut found.gone,
            Standing::Owned(owner) if owner.run_id == order.stamp.run_id => {
                game.world.take_away(serial);
                &mut found.removed
            }
            Standing::Owned(_) | Standing::Nobodys => &mut found.refused,
        };
        list.push(serial);
    }
    Ok(Done::new(Kind::WorldDespawn.ok_kind(), found))
}

/// The serials named, and those that the key made, each once.
fn wanted(order: &Despawn, game: &Game) -> BTreeSet<Serial> {
    let mut wanted: BTreeSet<Serial> = order.serials.iter().copied().collect();
    wanted.extend(order.for_key.iter().flat_map(|key| game.world.made_by(key)));
    wanted
}
