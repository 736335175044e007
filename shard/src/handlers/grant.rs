//! `world.grant`: an item into the packs of characters. What lies in a pack is the player's: there is no undo.

use super::{Done, judge};
use crate::{
    call::{Call, bad_field},
    config::{Decimal, exact},
    game::Game,
    world::gift,
};
use leasehold_link::wire::{ErrorName, Grant, Granted, Kind, Refusal, Serial, ToParticipants, limits};
use std::collections::BTreeSet;

pub fn run(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let mut order: Grant = call.fields()?;
    let item = gift(&order.item).ok_or_else(|| judge::unknown(ErrorName::UnknownItem, "gift", &order.item))?;
    let amount = order.amount.unwrap_or(1);
    judge_amount(amount)?;
    let by_tally = order.participants.take();
    if let Some(of) = &by_tally {
        order.recipients = participants(&order, of, game)?;
    }
    judge_recipients(&order, by_tally.is_some(), game)?;
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

/// Who took part in the run, by its tally, and is no more than was foreseen.
fn participants(order: &Grant, of: &ToParticipants, game: &mut Game) -> Result<Vec<Serial>, Refusal> {
    if !order.recipients.is_empty() {
        return Err(bad_field("recipients must be empty where participants says who"));
    }
    if !(1..=limits::GRANT_RECIPIENTS_MAX).contains(&of.most) {
        return Err(bad_field(format!("participants.most must be 1 to {}", limits::GRANT_RECIPIENTS_MAX)));
    }
    let least = match &of.min_score {
        None => Decimal::ZERO,
        Some(text) => exact(text).ok_or_else(|| bad_field("participants.minScore must be a plain decimal number"))?,
    };
    game.participation.count_time(game.now_ms, &game.world, game.rules.participation);
    let run = &order.stamp.run_id;
    let tally = game.participation.of(run);
    let tally = tally.ok_or_else(|| Refusal::new(ErrorName::NotCounted, format!("nobody counts who takes part in run {run}")))?;
    let worthy = tally.members.iter().filter(|(_, member)| member.score(tally.weights) >= least);
    let players =
        worthy.map(|(serial, _)| *serial).filter(|serial| game.world.player(*serial).is_none_or(|player| !player.staff));
    let recipients: Vec<Serial> = players.collect();
    if recipients.len() > of.most {
        let reason = format!("{} took part with that score, and the grant is for {} at most", recipients.len(), of.most);
        return Err(Refusal::new(ErrorName::GrantExceeded, reason).with("ceiling", of.most));
    }
    Ok(recipients)
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
fn judge_recipients(order: &Grant, by_tally: bool, game: &Game) -> Result<(), Refusal> {
    let recipients = &order.recipients;
    if recipients.is_empty() && !by_tally {
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
