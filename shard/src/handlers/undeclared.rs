//! `act.*` and `options.list`: for games that declare themselves by a manifest, which this one does not.

use super::Done;
use crate::{call::Call, game::Game};
use leasehold_link::wire::{ErrorName, Kind, Refusal};

pub fn run(call: &Call, _game: &mut Game) -> Result<Done, Refusal> {
    let error = if call.kind == Kind::OptionsList { ErrorName::UnknownSource } else { ErrorName::UnknownAction };
    Err(Refusal::new(error, "this game sent no manifest, so there is nothing of that name"))
}
