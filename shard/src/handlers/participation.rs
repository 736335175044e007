//! `participation.open`, `participation.snapshot` and `participation.close`. A long snapshot is walked over ticks: see the core.

use super::{Done, judge};
use crate::{
    call::{Call, bad_field},
    game::Game,
    participation::{Area, Member, Opening, Tally, Weights},
    world::World,
};
use leasehold_link::wire::{
    ErrorName, Kind, MemberRow, OfRun, OpenParticipation, ParticipationClosed, ParticipationOpened, Refusal, Serial, Snapshot,
};
use serde_json::{Value, json};

pub fn open(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let order: OpenParticipation = call.fields()?;
    let centre = judge::place(&order.map, order.x, order.y)?;
    if order.radius == 0 {
        return Err(bad_field("radius must be at least 1"));
    }
    let hold_ms = judge::length_ms("holdMs", order.hold_ms, game.rules.lease_max_ms, ErrorName::HoldTooLong)?;
    let weights = Weights {
        minute: game.config.integer("Bridge.ParticipationMinuteWeight"),
        kill: game.config.integer("Bridge.ParticipationKillWeight"),
    };
    let (run, area) = (order.stamp.run_id.as_str(), Area { centre, radius: order.radius });
    let (now_ms, rules) = (game.now_ms, game.rules.participation);
    game.participation.count_time(now_ms, &game.world, rules);
    let until_ms = game.participation.open(now_ms, &Opening { run, area, hold_ms, weights }, rules)?;
    Ok(without_run(Done::new(Kind::ParticipationOpen.ok_kind(), ParticipationOpened { run_id: run.to_owned(), until_ms })))
}

pub fn close(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let OfRun { stamp } = call.fields()?;
    game.participation.count_time(game.now_ms, &game.world, game.rules.participation);
    let closed = game.participation.close(game.now_ms, &stamp.run_id);
    let (closed_ms, members) = closed.map_or((None, 0), |(at, members)| (Some(at), members));
    let answer = ParticipationClosed { run_id: stamp.run_id, closed_ms, members };
    Ok(without_run(Done::new(Kind::ParticipationClose.ok_kind(), answer)))
}

pub fn snapshot(call: &Call, game: &mut Game) -> Result<Done, Refusal> {
    let tally = counted(call, game)?;
    let rows = tally.members.iter().map(|(serial, member)| row(*serial, member, tally.weights, &game.world)).collect();
    Ok(told(&tally, rows, game.now_ms))
}

/// The run's tally as it is at this moment.
pub fn counted(call: &Call, game: &mut Game) -> Result<Tally, Refusal> {
    let OfRun { stamp } = call.fields()?;
    game.participation.count_time(game.now_ms, &game.world, game.rules.participation);
    let tally = game.participation.of(&stamp.run_id).cloned();
    tally.ok_or_else(|| Refusal::new(ErrorName::NotCounted, format!("nobody counts who takes part in run {}", stamp.run_id)))
}

/// A member with the name and the account that it has now, as it is told.
pub fn row(serial: Serial, member: &Member, weights: Weights, world: &World) -> Value {
    let (name, acct) = world.player(serial).map(|player| (player.name.clone(), player.acct.clone())).unwrap_or_default();
    json!(MemberRow(serial, name, acct, member.seconds(), member.kills, member.score(weights).to_string(), member.first_ms))
}

/// The answer of a snapshot that was taken at that instant.
pub fn told(tally: &Tally, members: Vec<Value>, at_ms: i64) -> Done {
    let answer = Snapshot {
        run_id: tally.run_id.clone(),
        at_ms,
        open: tally.is_open(at_ms),
        minute_weight: tally.weights.minute,
        kill_weight: tally.weights.kill,
        turned_away: tally.turned_away.len(),
        members: Vec::new(),
    };
    let count = members.len();
    let mut done = Done::new(Kind::ParticipationSnapshot.ok_kind(), answer);
    done.fields.insert("members".to_owned(), members.into());
    // Who it was is in the answer, not in the trail.
    done.detail.clear();
    done.detail.insert("members".to_owned(), count.into());
    done
}

/// Every row of the audit names its run already.
fn without_run(mut done: Done) -> Done {
    done.detail.remove("runId");
    done
}
