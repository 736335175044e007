//! `world.look`: which objects of a run are there, and whether its counting goes on.

use super::Done;
use crate::{
    call::{Call, bad_field},
    game::Game,
    world::{Seen, Standing},
};
use leasehold_link::wire::{Kind, LookAt, LookedAt, Refusal, Serial, limits};
use std::collections::BTreeSet;

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let LookAt { run_id, serials, counting } = call.fields()?;
    let least = usize::from(!counting);
    if !(least..=limits::SERIALS_MAX).contains(&serials.len()) {
        return Err(bad_field(format!("{} serials are not {least} to {}", serials.len(), limits::SERIALS_MAX)));
    }
    let goes_on = || game.participation.of(&run_id).is_some_and(|tally| tally.is_open(game.now_ms));
    let mut seen = LookedAt { counting: counting.then(goes_on), ..LookedAt::default() };
    for serial in serials.into_iter().collect::<BTreeSet<Serial>>() {
        let list = match (game.world.look_at(serial), game.world.standing(serial)) {
            (Seen::NotLoaded, _) => &mut seen.unknown,
            (Seen::Present, Standing::Owned(owner)) if owner.run_id == run_id => &mut seen.present,
            _ => &mut seen.gone,
        };
        list.push(serial);
    }
    let mut done = Done::new(Kind::WorldLook.ok_kind(), seen);
    done.detail.clear();
    Ok(done)
}
