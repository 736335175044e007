//! `world.npc`: a person who greets whoever comes near, and answers to words.

use super::{Done, judge};
use crate::{call::Call, game::Game, world::What};
use leasehold_link::wire::{ErrorName, Kind, PlaceNpc, Placed, Refusal, limits};

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let order: PlaceNpc = call.fields()?;
    let at = judge::place(&order.map, order.x, order.y)?;
    judge::hue(order.hue)?;
    judge::line("name", &order.name, limits::NAME_MAX_CHARS)?;
    judge_words(&order)?;
    judge::room_for(game, &order.stamp.run_id, "npc", game.rules.event_npcs, ErrorName::NpcsExceeded)?;
    let owner = judge::owner(&order.stamp);
    let what = What::Npc { at, name: order.name.clone(), greeting: order.greeting, lines: order.lines };
    let serial = game.world.place(what, order.hue, owner, None);
    let mut done = Done::new(Kind::WorldNpc.ok_kind(), Placed { serial });
    done.detail.insert("name".to_owned(), order.name.into());
    Ok(done)
}

fn judge_words(order: &PlaceNpc) -> Result<(), Refusal> {
    judge::line("greeting", &order.greeting, limits::LINE_MAX_CHARS)?;
    if order.lines.len() > limits::NPC_LINES_MAX {
        let reason = format!("a person answers with at most {} lines, not {}", limits::NPC_LINES_MAX, order.lines.len());
        return Err(Refusal::new(ErrorName::LinesExceeded, reason).with("ceiling", limits::NPC_LINES_MAX));
    }
    order.lines.iter().enumerate().try_for_each(|(index, line)| {
        judge::line(&format!("lines[{index}].keyword"), &line.keyword, limits::KEYWORD_MAX_CHARS)?;
        judge::line(&format!("lines[{index}].text"), &line.text, limits::LINE_MAX_CHARS)
    })
}
