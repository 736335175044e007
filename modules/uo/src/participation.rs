//! `uo.participation.open` and `uo.participation.collect`: who takes part, counted by the game and told by it.
//!
//! The score is the game's: a minute present and a kill have the worth that they had when the counting began. Members are characters.

use chrono::DateTime;
use leasehold_link::wire::{
    Kind, MemberRow, OfRun, OpenParticipation, ParticipationClosed, ParticipationOpened, Snapshot, Stamp,
};
use leasehold_module::{Failure, Participant, Perform, Resource, Revert, Success, Undone, UndoneOutcome};
use leasehold_sidecar::{Sidecar, nonsense};
use serde_json::json;

use crate::atlas::Atlas;
use crate::{params, placing};

pub const OPEN_ID: &str = "uo.participation.open";
pub const COLLECT_ID: &str = "uo.participation.collect";

/// The resource of a counting; its reference is the run.
pub const COUNTING: &str = "counting";

/// Tiles around the point where nothing else is said.
const USUAL_RADIUS: u32 = 30;

pub async fn open(sidecar: &Sidecar, atlas: &Atlas, request: Perform) -> Result<Success, Failure> {
    let landmark = atlas.landmark(&params::text(&request.params, "location")?)?;
    let minutes: u64 = params::number(&request.params, "minutes")?.unwrap_or(60);
    let body = OpenParticipation {
        map: landmark.map.clone(),
        x: landmark.x,
        y: landmark.y,
        radius: params::number(&request.params, "radius")?.unwrap_or(USUAL_RADIUS),
        hold_ms: minutes.saturating_mul(60_000),
        stamp: params::stamp(&request),
    };
    if request.verify {
        return placing::rehearse(sidecar).await;
    }
    let reply = sidecar.command(Kind::ParticipationOpen, &body, request.mark.as_ref()).await?;
    let opened = reply.fields::<ParticipationOpened>().ok();
    if opened.is_none_or(|opened| opened.run_id != request.run_id) {
        return Err(nonsense(Kind::ParticipationOpen, "a yes that counts for another run"));
    }
    let resource = Resource { kind: COUNTING.to_owned(), reference: request.run_id, member_key: None };
    let lasts_ms = Some(body.hold_ms);
    Ok(Success { resources: vec![resource], lasts_ms, replayed: reply.replayed, ..Success::default() })
}

pub async fn collect(sidecar: &Sidecar, request: Perform) -> Result<Success, Failure> {
    if request.verify {
        return placing::rehearse(sidecar).await;
    }
    let body = OfRun { stamp: params::stamp(&request) };
    let reply = sidecar.command(Kind::ParticipationSnapshot, &body, request.mark.as_ref()).await?;
    let told = |what: String| nonsense(Kind::ParticipationSnapshot, &what);
    let snapshot: Snapshot = reply.fields().map_err(|error| told(format!("a yes without its members: {error}")))?;
    if snapshot.run_id != request.run_id {
        return Err(told(format!("the members of another run, {:?}", snapshot.run_id.chars().take(64).collect::<String>())));
    }
    let turned_away = snapshot.turned_away;
    let words = (turned_away > 0).then(|| format!("the tally is full: {turned_away} others took part and are not in it"));
    let participants = snapshot.members.into_iter().map(participant).collect();
    Ok(Success { participants, words, replayed: reply.replayed, ..Success::default() })
}

/// What the engine is told of a member: no name and no account, but a key that only the game can read.
fn participant(row: MemberRow) -> Participant {
    let MemberRow(serial, _, _, seconds, kills, score, first_ms) = row;
    let meta = [("seconds", json!(seconds)), ("kills", json!(kills))];
    Participant {
        member_key: serial.to_string(),
        score,
        joined_at: DateTime::from_timestamp_millis(first_ms),
        meta: meta.map(|(name, value)| (name.to_owned(), value)).into_iter().collect(),
    }
}

/// Ends the counting. A run without one has nothing to end.
pub async fn revert(sidecar: &Sidecar, request: Revert) -> Result<Vec<Undone>, Failure> {
    let stamp = Stamp {
        run_id: request.run_id.clone(),
        // An undo passes whatever the fence.
        fence: 0,
        ttl_ms: sidecar.patience_ms(),
        idempotency_key: request.idempotency_key.clone(),
    };
    let reply = sidecar.command(Kind::ParticipationClose, &OfRun { stamp }, request.mark.as_ref()).await?;
    let closed: ParticipationClosed =
        reply.fields().map_err(|error| nonsense(Kind::ParticipationClose, &format!("a yes without its run: {error}")))?;
    let outcome = |reference: &str| match (reference == closed.run_id, closed.closed_ms) {
        (true, Some(_)) => UndoneOutcome::Removed,
        (true, None) => UndoneOutcome::Gone,
        (false, _) => UndoneOutcome::Refused("it is the counting of another run".to_owned()),
    };
    let undone = |target: &leasehold_module::RevertTarget| Undone {
        kind: target.kind.clone(),
        reference: target.reference.clone(),
        outcome: outcome(&target.reference),
    };
    Ok(request.resources.iter().map(undone).collect())
}
