//! `world.gate`: two ends on one facet, closed by the game itself when their time is over.

use super::{Done, judge};
use crate::{call::Call, game::Game, world::What};
use leasehold_link::wire::{ErrorName, GateOpened, Kind, OpenGate, Refusal};

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let order: OpenGate = call.fields()?;
    let here = judge::place(&order.map, order.x, order.y)?;
    let there = judge::place(&order.to_map, order.to_x, order.to_y)?;
    if here.map != there.map {
        let reason = format!("a gate leads to a point of its own facet, not from {} to {}", order.map, order.to_map);
        return Err(Refusal::new(ErrorName::GateAcrossFacets, reason));
    }
    judge::hue(order.hue)?;
    let open_ms = judge::length_ms("openMs", order.open_ms, game.rules.gate_max_ms, ErrorName::GateTooLong)?;
    // Both ends are objects of the run.
    let ceiling = game.rules.event_gates.saturating_mul(2);
    judge::room_for(game, &order.stamp.run_id, "gate", ceiling, ErrorName::GatesExceeded)?;
    let until_ms = game.now_ms.saturating_add(open_ms);
    let ends = [(here, there), (there, here)];
    let serials =
        ends.map(|(at, to)| game.world.place(What::Gate { at, to }, order.hue, judge::owner(&order.stamp), Some(until_ms)));
    Ok(Done::new(Kind::WorldGate.ok_kind(), GateOpened { serials: serials.to_vec(), until_ms }))
}
