//! `run.close`: the run is over; nothing sent before takes effect after.

use super::Done;
use crate::{call::Call, game::Game};
use leasehold_link::wire::{CloseRun, Kind, Refusal, RunClosed};

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let CloseRun { run_id, fence, .. } = call.fields()?;
    let fence = game.fences.close(&run_id, fence)?;
    Ok(Done::new(Kind::RunClose.ok_kind(), RunClosed { run_id, fence }))
}
