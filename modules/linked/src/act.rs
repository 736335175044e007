//! Performing an action of the manifest, and asking whether it would be.

use chrono::DateTime;
use leasehold_link::wire::{Act, ActVerify, Acted, Kind, Made, Reply, Stamp, TookPart, WaitsFor};
use leasehold_module::{Failure, Manifest, Participant, Perform, Promise, Resource, Reversible, Success, Then, check_params};
use leasehold_sidecar::{Sidecar, nonsense};

use crate::things;

/// Most characters of what a game says about what it did.
const LONGEST_WORDS: usize = 4_000;
/// The longest that a game may have what follows wait: seven days, in seconds.
const LONGEST_HOLD: u64 = 604_800;
/// The longest that a game keeps what it takes away by itself, in milliseconds.
const LONGEST_LIFE_MS: u64 = 604_800_000;

pub async fn perform(manifest: &Manifest, sidecar: &Sidecar, request: Perform) -> Result<Success, Failure> {
    let none = || Failure::refused("no_such_action", format!("there is no action {}", request.action));
    let action = manifest.action(&request.action).ok_or_else(none)?;
    let faults: Vec<_> = check_params(&action.params, &request.params).into_iter().map(|fault| fault.detail).collect();
    if !faults.is_empty() {
        return Err(Failure::refused("wrong_params", faults.join("; ")));
    }
    if request.verify {
        let body = ActVerify { action: request.action, params: request.params };
        sidecar.command(Kind::ActVerify, &body, None).await?;
        return Ok(Success::default());
    }
    let reply = sidecar.command(Kind::ActPerform, &order(&request), request.mark.as_ref()).await;
    let success = reply.and_then(|reply| success(action.reversible, &reply));
    success.map_err(|failure| promised(action.promise, failure))
}

fn order(request: &Perform) -> Act {
    Act {
        action: request.action.clone(),
        params: request.params.clone(),
        ceiling: request.ceiling.map(|ceiling| ceiling.to_string()),
        stamp: Stamp {
            run_id: request.run_id.clone(),
            fence: request.fence,
            ttl_ms: request.ttl_ms,
            idempotency_key: request.idempotency_key.clone(),
        },
    }
}

/// What may have happened is not asked for again where the game does not promise to do it once.
fn promised(promise: Promise, failure: Failure) -> Failure {
    match promise {
        Promise::AtMostOnce if failure.unknown => Failure { retry: false, ..failure },
        Promise::AtMostOnce | Promise::EffectOnce | Promise::AtLeastOnce => failure,
    }
}

/// A yes, if it is one from end to end.
fn success(reversible: Reversible, reply: &Reply) -> Result<Success, Failure> {
    let told = |what: &str| nonsense(Kind::ActPerform, what);
    let acted: Acted = reply.fields().map_err(|error| told(&format!("a yes that cannot be read: {error}")))?;
    if !acted.resources.is_empty() && reversible != Reversible::Ledger {
        return Err(told("a yes with resources, of an action that the manifest does not take back from the ledger"));
    }
    things::distinct(Kind::ActPerform, acted.resources.iter().map(|made| &made.thing))?;
    let then = match (acted.waits_for, acted.hold_for) {
        (None, None) => Then::Continue,
        (Some(WaitsFor::Human), None) => Then::AwaitHuman,
        (None, Some(seconds)) if (1..=LONGEST_HOLD).contains(&seconds) => Then::HoldFor(seconds),
        _ => return Err(told("a yes whose holdFor and await are none that the wire has")),
    };
    if acted.for_ms.is_some_and(|lasts| !(1..=LONGEST_LIFE_MS).contains(&lasts)) {
        return Err(told("a yes whose forMs is none that the wire has"));
    }
    Ok(Success {
        lasts_ms: acted.for_ms,
        resources: acted.resources.into_iter().map(resource).collect(),
        participants: acted
            .participants
            .into_iter()
            .map(participant)
            .collect::<Option<_>>()
            .ok_or_else(|| told("a yes with a participant whose memberKey, score or joinedMs is none"))?,
        then,
        words: acted.words.map(|words| words.chars().take(LONGEST_WORDS).collect()),
        replayed: reply.replayed,
    })
}

fn resource(made: Made) -> Resource {
    Resource { kind: made.thing.kind, reference: made.thing.reference, member_key: made.member_key }
}

fn participant(told: TookPart) -> Option<Participant> {
    let fits = (1..=128).contains(&told.member_key.chars().count()) && is_decimal(&told.score);
    let joined_at = told.joined_ms.map(DateTime::from_timestamp_millis);
    let joined_at = match joined_at {
        Some(None) => return None,
        Some(joined_at) => joined_at,
        None => None,
    };
    fits.then_some(Participant { member_key: told.member_key, score: told.score, joined_at, meta: told.meta })
}

/// Digits, at most 14 in front of the point and four behind it.
fn is_decimal(text: &str) -> bool {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str, most: usize| (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    digits(whole.strip_prefix('-').unwrap_or(whole), 14) && digits(part, 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_a_plain_decimal() {
        for fine in ["0", "12", "-3", "12.5", "99999999999999.9999"] {
            assert!(is_decimal(fine), "{fine}");
        }
        for wrong in ["", ".", "1.", ".5", "1e3", "NaN", "1.23456", "999999999999999", "--1", "+1", "1,5"] {
            assert!(!is_decimal(wrong), "{wrong}");
        }
    }
}
