//! `world.spawn`: creatures around a point, once, owned by the run and the key.

use super::{Done, judge};
use crate::{
    call::{Call, bad_field},
    game::Game,
    world::known_creature,
};
use leasehold_link::wire::{ErrorName, Kind, Refusal, Spawn, Spawned, limits};

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let order: Spawn = call.fields()?;
    let at = judge::place(&order.map, order.x, order.y)?;
    let creature =
        known_creature(&order.creature).ok_or_else(|| judge::unknown(ErrorName::UnknownCreature, "creature", &order.creature))?;
    judge_looks(&order)?;
    judge_count(&order, game)?;
    judge_boss(call, &order, game)?;
    let serials = game.world.spawn(&order, creature, at.map);
    let mut done = Done::new(Kind::WorldSpawn.ok_kind(), Spawned { serials });
    done.detail.insert("creature".to_owned(), creature.into());
    Ok(done)
}

fn judge_looks(order: &Spawn) -> Result<(), Refusal> {
    if order.radius.is_some_and(|radius| radius > limits::RADIUS_MAX) {
        return Err(bad_field(format!("radius must be 0 to {}", limits::RADIUS_MAX)));
    }
    judge::hue(order.hue)?;
    order.name.as_ref().map_or(Ok(()), |name| judge::line("name", name, limits::NAME_MAX_CHARS))
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

/// A boss variant is a stronger one of its kind, within bounds and few; and nothing that an event makes carries loot.
fn judge_boss(call: &Call, order: &Spawn, game: &Game) -> Result<(), Refusal> {
    if call.body.get("loot").is_some_and(|loot| !loot.is_null()) {
        return Err(Refusal::new(ErrorName::NoLoot, "a creature of an event carries no loot, whatever it is asked to carry"));
    }
    let Some(boss) = order.boss else { return Ok(()) };
    for (field, percent, most) in [("hits", boss.hits, limits::BOSS_HITS_MAX), ("damage", boss.damage, limits::BOSS_DAMAGE_MAX)] {
        if percent < 100 {
            return Err(bad_field(format!("boss.{field} is in percent of the kind's own, at least 100")));
        }
        if percent > most {
            let reason = format!("boss.{field} of {percent} percent is over this game's {most}");
            return Err(Refusal::new(ErrorName::BossTooStrong, reason).with("field", field).with("max", most));
        }
    }
    let run = &order.stamp.run_id;
    let alive = game.world.owned_by(run).filter(|creature| creature.boss.is_some()).count();
    let ceiling = game.rules.event_bosses;
    if usize::try_from(order.count).is_ok_and(|count| count <= ceiling.saturating_sub(alive)) {
        return Ok(());
    }
    let reason = format!("run {run} has {alive} boss variants alive and asks for {}; the ceiling is {ceiling}", order.count);
    Err(Refusal::new(ErrorName::BossesExceeded, reason).with("alive", alive).with("ceiling", ceiling))
}
