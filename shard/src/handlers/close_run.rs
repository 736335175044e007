//! `run.close`: the run is over; nothing sent before takes effect after.

use super::Done;
use crate::{call::Call, game::Game};
use leasehold_link::wire::{CloseRun, Kind, Refusal, RunClosed};

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let CloseRun { run_id, fence, .. } = call.fields()?;
    let fence = game.fences.close(&run_id, fence)?;
    let mut done = Done::new(Kind::RunClose.ok_kind(), RunClosed { run_id, fence });
    // Every row of the audit names its run already: a second field of that name would make the line unreadable to strict readers.
    done.detail.remove("runId");
    Ok(done)
}
