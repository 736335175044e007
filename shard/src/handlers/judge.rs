//! Judgements that several handlers share.

use crate::{
    call::bad_field,
    game::Game,
    world::{Map, Owner, Place},
};
use leasehold_link::wire::{ErrorName, Refusal, Stamp, limits};

/// The point that a command names.
pub fn place(map: &str, x: i32, y: i32) -> Result<Place, Refusal> {
    let on = Map::parse(map).ok_or_else(|| unknown(ErrorName::UnknownMap, "map", map))?;
    if Map::contains(x, y) {
        return Ok(Place { map: on, x, y });
    }
    let reason = format!("{map} is {} by {} tiles; {x},{y} is not on it", Map::WIDTH, Map::HEIGHT);
    Err(Refusal::new(ErrorName::OutOfBounds, reason))
}

/// A name that this game has not.
pub fn unknown(error: ErrorName, what: &str, name: &str) -> Refusal {
    let shown: String = name.chars().take(80).collect();
    Refusal::new(error, format!("this game has no {what} `{shown}`"))
}

/// A colour, where there is one.
pub fn hue(hue: Option<u16>) -> Result<(), Refusal> {
    if hue.is_none_or(|hue| hue <= limits::HUE_MAX) {
        return Ok(());
    }
    Err(bad_field(format!("hue must be 0 to {}", limits::HUE_MAX)))
}

/// One line of text of 1 to that many characters.
pub fn line(field: &str, text: &str, most: usize) -> Result<(), Refusal> {
    let length = text.chars().count();
    if (1..=most).contains(&length) && !text.chars().any(char::is_control) {
        return Ok(());
    }
    Err(bad_field(format!("{field} must have 1 to {most} characters, none of them a control character")))
}

/// Whether one more of a sort is within what a run may have.
pub fn room_for(game: &Game, run: &str, sort: &str, ceiling: usize, error: ErrorName) -> Result<(), Refusal> {
    let standing = game.world.things_of(run, sort);
    if standing < ceiling {
        return Ok(());
    }
    let reason = format!("run {run} has {standing} of the sort {sort} already; the ceiling is {ceiling}");
    Err(Refusal::new(error, reason).with("standing", standing).with("ceiling", ceiling))
}

/// Whether a time is 1 to that many milliseconds; beyond it is refused by that name, with the most that there is.
pub fn length_ms(field: &str, asked: u64, most: u64, error: ErrorName) -> Result<i64, Refusal> {
    if asked == 0 {
        return Err(bad_field(format!("{field} must be at least 1")));
    }
    let fits = i64::try_from(asked).ok().filter(|_| asked <= most);
    fits.ok_or_else(|| Refusal::new(error, format!("{field} of {asked} ms is over this game's {most} ms")).with("maxMs", most))
}

/// Who owns what the command makes.
pub fn owner(stamp: &Stamp) -> Owner {
    Owner { run_id: stamp.run_id.clone(), key: stamp.idempotency_key.clone() }
}
