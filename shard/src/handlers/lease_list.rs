//! `lease.list`: what may be borrowed, and who has what.

use super::Done;
use crate::{call::Call, game::Game};
use leasehold_link::wire::{Catalogue, Kind, ListLeases, Refusal};

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let ListLeases { key } = call.fields()?;
    let (plane, ground) = game.leases();
    let leases = plane.rows(&ground, key.as_deref());
    let mut done = Done::new(Kind::LeaseList.ok_kind(), Catalogue { leases });
    done.detail.clear();
    Ok(done)
}
