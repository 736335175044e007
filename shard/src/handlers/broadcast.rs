//! `admin.broadcast`: one line to everybody online.

use super::Done;
use crate::{
    call::{Call, bad_field},
    game::Game,
};
use leasehold_link::wire::{Broadcast, Kind, Refusal, limits};
use serde_json::json;

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let Broadcast { text, hue, .. } = call.fields()?;
    let length = text.chars().count();
    if !(1..=limits::BROADCAST_MAX_CHARS).contains(&length) {
        return Err(bad_field(format!("text must have 1 to {} characters, not {length}", limits::BROADCAST_MAX_CHARS)));
    }
    if text.chars().any(char::is_control) {
        return Err(bad_field("text must hold no control characters"));
    }
    if hue.is_some_and(|hue| hue > limits::HUE_MAX) {
        return Err(bad_field(format!("hue must be 0 to {}", limits::HUE_MAX)));
    }
    game.broadcasts += 1;
    tracing::info!(text, "broadcast");
    let mut done = Done::new(Kind::AdminBroadcast.ok_kind(), json!({}));
    done.detail.insert("text".to_owned(), text.into());
    Ok(done)
}
