//! `world.save`: asks for a save. The game writes it before it answers.

use super::Done;
use crate::{call::Call, game::Game};
use leasehold_link::wire::{ErrorName, Kind, Refusal, SaveWorld};

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let SaveWorld { .. } = call.fields()?;
    judge_interval(game)?;
    game.save_asked = true;
    Ok(Done::new(Kind::WorldSave.ok_kind(), game.world.counts()))
}

/// A save stops the world for a moment, so there is one in so many seconds, whoever asked for the last one.
fn judge_interval(game: &Game) -> Result<(), Refusal> {
    let Some(saved_ms) = game.world.saved_ms() else { return Ok(()) };
    // A machine whose clock was set back since finds a save of the future; that hinders nobody.
    let ago = u64::try_from(game.now_ms.saturating_sub(saved_ms)).unwrap_or(u64::MAX);
    let interval = game.rules.save_interval_ms;
    if ago >= interval {
        return Ok(());
    }
    let reason = format!("the last save was {} seconds ago; there is one in {} seconds", ago / 1000, interval / 1000);
    Err(Refusal::new(ErrorName::SaveTooSoon, reason).with("retryAfterMs", interval - ago))
}
