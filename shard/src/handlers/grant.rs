//! `world.grant`: an item into the packs of characters. What lies in a pack is the player's: there is no undo.

use super::{Done, judge};
use crate::{
    call::{Call, bad_field},
    game::Game,
    world::gift,
};
use leasehold_link::wire::{ErrorName, Grant, Granted, Kind, Refusal, limits};
use std::collections::BTreeSet;

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let order: Grant = call.fields()?;
    let item = gift(&order.item).ok_or_else(|| judge::unknown(ErrorName::UnknownItem, "gift", &order.item))?;
    let amount = order.amount.unwrap_or(1);
    judge_amount(amount)?;
    judge_recipients(&order, game)?;
    let mut told = Granted::default();
    for serial in order.recipients {
        let list = if game.world.give(serial, item, amount) { &mut told.granted } else { &mut told.missed };
        list.push(serial);
    }
    let mut done = Done::new(Kind::WorldGrant.ok_kind(), told);
    done.detail.insert("item".to_owned(), item.into());
    done.detail.insert("amount".to_owned(), amount.into());
    Ok(done)
}

fn judge_amount(amount: u32) -> Result<(), Refusal> {
    match amount {
        0 => Err(bad_field("amount must be at least 1")),
        _ if amount > limits::GRANT_AMOUNT_MAX => {
            let reason = format!("a grant gives at most {} pieces to one character, not {amount}", limits::GRANT_AMOUNT_MAX);
            Err(Refusal::new(ErrorName::GrantExceeded, reason).with("ceiling", limits::GRANT_AMOUNT_MAX))
        }
        _ => Ok(()),
    }
}

/// A character that is not there any more is told as missed; one of the staff refuses the whole.
fn judge_recipients(order: &Grant, game: &Game) -> Result<(), Refusal> {
    let recipients = &order.recipients;
    if recipients.is_empty() {
        return Err(bad_field("recipients must name at least one character"));
    }
    if recipients.len() > limits::GRANT_RECIPIENTS_MAX {
        let reason = format!("a grant reaches at most {} characters, not {}", limits::GRANT_RECIPIENTS_MAX, recipients.len());
        return Err(Refusal::new(ErrorName::GrantExceeded, reason).with("ceiling", limits::GRANT_RECIPIENTS_MAX));
    }
    if recipients.iter().collect::<BTreeSet<_>>().len() != recipients.len() {
        return Err(bad_field("recipients must name each character once"));
    }
    let staff = recipients.iter().find_map(|serial| game.world.player(*serial).filter(|player| player.staff));
    staff.map_or(Ok(()), |player| {
        Err(Refusal::new(ErrorName::AccessFloor, format!("{} is of the staff; an event grants to players only", player.name)))
    })
}
