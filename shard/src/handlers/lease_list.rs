//! `lease.list`: every value that may be borrowed, and who holds it.

use super::Done;
use crate::{call::Call, game::Game};
use leasehold_link::wire::{Catalogue, Kind, Refusal};

#[expect(clippy::unnecessary_wraps, reason = "every handler has one shape")]
pub fn run(_call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let leases = game.leases.rows(&game.config);
    let mut done = Done::new(Kind::LeaseList.ok_kind(), Catalogue { leases });
    done.detail.clear();
    Ok(done)
}
