//! `world.spawn`: creatures around a point, once, owned by the run and the key.

use super::Done;
use crate::{
    call::{Call, bad_field},
    game::Game,
    world::{Map, known_creature},
};
use leasehold_link::wire::{ErrorName, Kind, Refusal, Spawn, Spawned, limits};

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let order: Spawn = call.fields()?;
    let map = Map::parse(&order.map).ok_or_else(|| unknown(ErrorName::UnknownMap, "map", &order.map))?;
    if !Map::contains(order.x, order.y) {
        let reason = format!("{} is {} by {} tiles; {},{} is not on it", order.map, Map::WIDTH, Map::HEIGHT, order.x, order.y);
        return Err(Refusal::new(ErrorName::OutOfBounds, reason));
    }
    let creature =
        known_creature(&order.creature).ok_or_else(|| unknown(ErrorName::UnknownCreature, "creature", &order.creature))?;
    judge_looks(&order)?;
    judge_count(&order, game)?;

    let serials = game.world.spawn(&order, creature, map);
    let mut done = Done::new(Kind::WorldSpawn.ok_kind(), Spawned { serials });
    done.detail.insert("creature".to_owned(), creature.into());
    Ok(done)
}

fn unknown(error: ErrorName, what: &str, name: &str) -> Refusal {
    let shown: String = name.chars().take(80).collect();
    Refusal::new(error, format!("this game has no {what} `{shown}`"))
}

fn judge_looks(order: &Spawn) -> Result<(), Refusal> {
    if order.radius.is_some_and(|radius| radius > limits::RADIUS_MAX) {
        return Err(bad_field(format!("radius must be 0 to {}", limits::RADIUS_MAX)));
    }
    if order.hue.is_some_and(|hue| hue > limits::HUE_MAX) {
        return Err(bad_field(format!("hue must be 0 to {}", limits::HUE_MAX)));
    }
    let Some(name) = &order.name else { return Ok(()) };
    if (1..=limits::NAME_MAX_CHARS).contains(&name.chars().count()) && !name.chars().any(char::is_control) {
        return Ok(());
    }
    Err(bad_field(format!("name must have 1 to {} characters, none of them a control character", limits::NAME_MAX_CHARS)))
}

fn judge_count(order: &Spawn, game: &Game) -> Result<(), Refusal> {
    if order.count == 0 {
        return Err(bad_field("count must be at least 1"));
    }
    let alive = game.world.owned_by(&order.stamp.run_id).count();
    let ceiling = game.rules.event_creatures;
    if usize::try_from(order.count).is_ok_and(|count| count <= ceiling.saturating_sub(alive)) {
        return Ok(());
    }
    let reason =
        format!("run {} has {alive} creatures alive and asks for {}; the ceiling is {ceiling}", order.stamp.run_id, order.count);
    Err(Refusal::new(ErrorName::CeilingExceeded, reason).with("alive", alive).with("ceiling", ceiling))
}
