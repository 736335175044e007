//! Borrowing a value of a game by its key: the same verbs for every game and every type of value.

use std::cmp::Ordering;

use leasehold_link::wire::{
    Kind, LeaseApplied as Applied, LeaseApply as Apply, LeaseRelease as Release, LeaseReleased as Released, LeaseRow, Stamp,
};
use leasehold_module::{
    Failure, InForce, LeaseApplied, LeaseApply, LeaseQuery, LeaseRestore, LeaseRestored, ParamType, compare, same_value,
};

use crate::Sidecar;
use crate::verdict::nonsense;

/// The value as it is now.
pub async fn lease_read(sidecar: &Sidecar, key: &str, of: ParamType) -> Result<String, Failure> {
    let row = sidecar.lease_row(key).await?;
    value(Kind::LeaseList, of, row.current)
}

/// Applies it, or, with `verify` set, tells whether the game would take it by its own catalogue.
pub async fn lease_applied(sidecar: &Sidecar, key: &str, of: ParamType, request: LeaseApply) -> Result<LeaseApplied, Failure> {
    if request.verify {
        sidecar.connected().await?;
        let row = sidecar.lease_row(key).await?;
        acceptable(&row, of, &request)?;
        return Ok(LeaseApplied::Acceptable { current: value(Kind::LeaseList, of, row.current)? });
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
    if !same_value(of, &answer.applied, &request.value) {
        return Err(told(format!("a yes to {:?} where {:?} was asked for", answer.applied, request.value)));
    }
    let baseline = value(Kind::LeaseApply, of, answer.baseline)?;
    Ok(LeaseApplied::Applied { baseline, applied: answer.applied, replayed: reply.replayed })
}

/// Holds the request against what the game itself says it allows.
fn acceptable(row: &LeaseRow, of: ParamType, request: &LeaseApply) -> Result<(), Failure> {
    let beyond = |bound: &str, wrong| !bound.is_empty() && compare(of, &request.value, bound).is_none_or(|is| is == wrong);
    if beyond(&row.min, Ordering::Less) || beyond(&row.max, Ordering::Greater) {
        let reason = format!("the game allows {} to {}, not {}", row.min, row.max, request.value);
        return Err(Failure::refused("out_of_range", reason));
    }
    if request.hold_ms > row.max_hold_ms {
        let reason = format!("the game lends it for at most {} ms, not {}", row.max_hold_ms, request.hold_ms);
        return Err(Failure::refused("hold_too_long", reason));
    }
    Ok(())
}

/// Gives it back by compare-and-set.
pub async fn lease_restored(sidecar: &Sidecar, key: &str, request: LeaseRestore) -> Result<LeaseRestored, Failure> {
    let body = Release {
        key: key.to_owned(),
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
pub async fn lease_in_force(sidecar: &Sidecar, key: &str, request: &LeaseQuery) -> Result<InForce, Failure> {
    let row = sidecar.lease_row(key).await?;
    Ok(if row.held.is_some_and(|held| held.run_id == request.run_id) { InForce::Yes } else { InForce::No })
}

/// A value that a game tells, if it is one of its type. One that was not set is told as empty text.
fn value(kind: Kind, of: ParamType, text: String) -> Result<String, Failure> {
    if of == ParamType::String || same_value(of, &text, &text) {
        Ok(text)
    } else {
        let shown: String = text.chars().take(32).collect();
        Err(nonsense(kind, &format!("the value {shown:?}, which is not {}", of.with_article())))
    }
}
