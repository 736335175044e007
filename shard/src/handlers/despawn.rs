//! `world.despawn`: takes away what the run owns. What is not there any more is no fault, what belongs to another stays.

use super::Done;
use crate::{
    call::{Call, bad_field},
    game::Game,
    world::Owner,
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
        let place = match game.world.creature(serial).map(|creature| creature.owner.as_ref()) {
            None => &mut found.gone,
            Some(Some(Owner { run_id, .. })) if *run_id == order.stamp.run_id => {
                game.world.remove(serial);
                &mut found.removed
            }
            Some(_) => &mut found.refused,
        };
        place.push(serial);
    }
    Ok(Done::new(Kind::WorldDespawn.ok_kind(), found))
}

/// The serials named, and those that the key made, each once.
fn wanted(order: &Despawn, game: &Game) -> BTreeSet<Serial> {
    let mut wanted: BTreeSet<Serial> = order.serials.iter().copied().collect();
    if let Some(key) = &order.for_key {
        let made_by_key = |owner: &Owner| owner.key == *key;
        let made = game.world.creatures().filter(|creature| creature.owner.as_ref().is_some_and(made_by_key));
        wanted.extend(made.map(|creature| creature.serial));
    }
    wanted
}
