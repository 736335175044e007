//! `lease.apply`: borrows a value until a deadline that the game keeps.

use super::Done;
use crate::{call::Call, game::Game, lease};
use leasehold_link::wire::{Kind, LeaseApplied, LeaseApply, Refusal};

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let LeaseApply { key, value, hold_ms, stamp, .. } = call.fields()?;
    let order = lease::Order { run: &stamp.run_id, key: &key, value: &value, hold_ms };
    let lease::Applied { baseline, applied, until_ms } = game.leases.apply(game.now_ms, &order, &mut game.config)?;
    let mut done = Done::new(Kind::LeaseApply.ok_kind(), LeaseApplied { baseline, applied, until_ms });
    done.detail.insert("lease".to_owned(), key.into());
    Ok(done)
}
