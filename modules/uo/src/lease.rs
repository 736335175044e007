//! `uo.config.skillcap`: what a character made from now on may learn. The game holds it, and puts it back at its deadline.

use leasehold_link::wire::{
    Kind, LeaseApplied as Applied, LeaseApply as Apply, LeaseRelease as Release, LeaseReleased as Released, LeaseRow, Stamp,
};
use leasehold_module::{
    Failure, InForce, LeaseApplied, LeaseApply, LeaseQuery, LeaseRestore, LeaseRestored, ParamType, compare, same_value,
};

use crate::sidecar::Sidecar;
use crate::verdict::nonsense;

pub const SKILL_CAP: &str = "uo.config.skillcap";

/// What the game calls the value that a lease borrows.
pub fn key_of(lease: &str) -> Result<&'static str, Failure> {
    match lease {
        SKILL_CAP => Ok("PlayerCaps.SkillCap"),
        _ => Err(Failure::refused("no_such_lease", format!("there is no lease {lease}"))),
    }
}

/// The value as it is now.
pub async fn read(sidecar: &Sidecar, request: &LeaseQuery) -> Result<String, Failure> {
    let row = sidecar.lease_row(key_of(&request.lease)?).await?;
    number(Kind::LeaseList, row.current)
}

pub async fn apply(sidecar: &Sidecar, request: LeaseApply) -> Result<LeaseApplied, Failure> {
    let key = key_of(&request.lease)?;
    if request.verify {
        sidecar.connected().await?;
        let row = sidecar.lease_row(key).await?;
        acceptable(&row, &request)?;
        return Ok(LeaseApplied::Acceptable { current: number(Kind::LeaseList, row.current)? });
    }
    let until_ms =
        u64::try_from(request.until_ms).map_err(|_| Failure::refused("wrong_params", "a deadline before 1970 is no deadline"))?;
    let body = Apply {
        key: key.to_owned(),
        value: request.value.clone(),
        hold_ms: request.hold_ms,
        until_ms,
        stamp: Stamp {
            run_id: request.run_id,
            fence: request.fence,
            ttl_ms: request.ttl_ms,
            idempotency_key: request.idempotency_key,
        },
    };
    let reply = sidecar.command(Kind::LeaseApply, &body, request.mark.as_ref()).await?;
    let told = |what: String| nonsense(Kind::LeaseApply, &what);
    let answer: Applied = reply.fields().map_err(|error| told(format!("a yes without its values: {error}")))?;
    if !same_value(ParamType::Int, &answer.applied, &request.value) {
        return Err(told(format!("a yes to {:?} where {:?} was asked for", answer.applied, request.value)));
    }
    let baseline = number(Kind::LeaseApply, answer.baseline)?;
    Ok(LeaseApplied::Applied { baseline, applied: answer.applied, replayed: reply.replayed })
}

/// Holds the request against what the game itself says it allows.
fn acceptable(row: &LeaseRow, request: &LeaseApply) -> Result<(), Failure> {
    let at_least = compare(ParamType::Int, &request.value, &row.min).is_some_and(std::cmp::Ordering::is_ge);
    let at_most = compare(ParamType::Int, &request.value, &row.max).is_some_and(std::cmp::Ordering::is_le);
    if !(at_least && at_most) {
        let reason = format!("the game allows {} to {}, not {}", row.min, row.max, request.value);
        return Err(Failure::refused("out_of_range", reason));
    }
    if request.hold_ms > row.max_hold_ms {
        let reason = format!("the game lends it for at most {} ms, not {}", row.max_hold_ms, request.hold_ms);
        return Err(Failure::refused("hold_too_long", reason));
    }
    Ok(())
}

pub async fn restore(sidecar: &Sidecar, request: LeaseRestore) -> Result<LeaseRestored, Failure> {
    let body = Release {
        key: key_of(&request.lease)?.to_owned(),
        applied: request.expected,
        stamp: Stamp {
            run_id: request.run_id,
            // An undo passes whatever the fence.
            fence: 0,
            ttl_ms: sidecar.patience_ms(),
            idempotency_key: request.idempotency_key,
        },
    };
    let reply = sidecar.command(Kind::LeaseRelease, &body, request.mark.as_ref()).await?;
    match reply.released() {
        Ok(Released::Restored { .. }) => Ok(LeaseRestored::Restored),
        Ok(Released::AlreadyRestored { reason, current }) => Ok(LeaseRestored::LetGo { reason, current }),
        Ok(Released::NotHeld { current }) => Ok(LeaseRestored::LetGo { reason: "restart".to_owned(), current }),
        Ok(Released::Drifted { current, .. }) => Ok(LeaseRestored::Drifted { current }),
        Err(error) => Err(nonsense(Kind::LeaseRelease, &format!("a yes that no release has: {error}"))),
    }
}

/// An expired hold is still on record: its release tells how it ended.
pub async fn in_force(sidecar: &Sidecar, request: &LeaseQuery) -> Result<InForce, Failure> {
    let row = sidecar.lease_row(key_of(&request.lease)?).await?;
    Ok(if row.held.is_some_and(|held| held.run_id == request.run_id) { InForce::Yes } else { InForce::No })
}

fn number(kind: Kind, text: String) -> Result<String, Failure> {
    if compare(ParamType::Int, &text, "0").is_some() {
        Ok(text)
    } else {
        Err(nonsense(kind, &format!("the value {:?}, which is no number", text.chars().take(32).collect::<String>())))
    }
}
