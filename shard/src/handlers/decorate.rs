//! `world.decorate`: one decorative object of the game's vocabulary, never one that can hold things.

use super::{Done, judge};
use crate::{
    call::{Call, bad_field},
    game::Game,
    world::{What, decoration},
};
use leasehold_link::wire::{Decorate, ErrorName, Kind, Placed, Refusal};

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let order: Decorate = call.fields()?;
    let at = judge::place(&order.map, order.x, order.y)?;
    judge::hue(order.hue)?;
    let known = decoration(&order.item).ok_or_else(|| judge::unknown(ErrorName::UnknownItem, "decoration", &order.item))?;
    if known.container {
        let reason = format!("a {} can hold things: taking it away would take what a player left inside", known.item);
        return Err(Refusal::new(ErrorName::ContainerRefused, reason));
    }
    let graphic = order.graphic.unwrap_or(known.graphics[0]);
    if !known.graphics.contains(&graphic) {
        return Err(bad_field(format!("graphic {graphic} is none of a {}: it has {:?}", known.item, known.graphics)));
    }
    judge::room_for(game, &order.stamp.run_id, "decoration", game.rules.event_decorations, ErrorName::DecorationsExceeded)?;
    let what = What::Decoration { at, item: known.item.to_owned(), graphic };
    let serial = game.world.place(what, order.hue, judge::owner(&order.stamp), None);
    let mut done = Done::new(Kind::WorldDecorate.ok_kind(), Placed { serial });
    done.detail.insert("item".to_owned(), known.item.into());
    Ok(done)
}
