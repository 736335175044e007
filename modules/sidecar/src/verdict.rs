//! From what came back over HTTP to what the engine is told: [`judge`], total over every shape.
//!
//! A yes needs the right status, a readable body, and the kind that this very command is answered with. A no that claims
//! "nothing happened" needs as much: status, kind and name must agree. Whatever agrees with nothing is *unknown*.

use leasehold_link::wire::{
    BRIDGE_BUSY, BRIDGE_ERROR, BRIDGE_INTERRUPTED, Disposition, ErrorName, Kind, LEASE_DRIFTED, LINK_ERROR, Reply,
};
use leasehold_module::Failure;

/// Most characters of a game's sentence that are passed on.
const LONGEST_REASON: usize = 400;

/// How one HTTP exchange ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exchange {
    /// No byte of the command went out.
    NotSent(String),
    /// It went out, or may have, and no whole answer came.
    Lost(String),
    Answered {
        status: u16,
        body: Vec<u8>,
    },
}

/// The answer of the game where it is a yes; else how it failed.
pub fn judge(kind: Kind, exchange: Exchange) -> Result<Reply, Failure> {
    let (status, body) = match exchange {
        Exchange::NotSent(why) => return Err(Failure::not_now("not_sent", format!("the sidecar was not reached: {why}"))),
        Exchange::Lost(why) => return Err(Failure::unknown("no_answer", format!("{kind} was sent and no answer came: {why}"))),
        Exchange::Answered { status, body } => (status, body),
    };
    let reply = serde_json::from_slice(&body).ok().and_then(Reply::read);
    let Some(reply) = reply else {
        return Err(nonsense(kind, &format!("status {status} with a body that is no answer of the wire")));
    };
    let fate = fate(kind, &reply);
    match fate.filter(|fate| fate.status() == status) {
        Some(Disposition::Done) => Ok(reply),
        Some(fate) => Err(failure(kind, fate, &reply)),
        None => Err(nonsense(kind, &format!("status {status} with the kind {:?}", clip(&reply.kind, 64)))),
    }
}

/// An answer that contradicts itself or the command: it may have happened.
pub fn nonsense(kind: Kind, what: &str) -> Failure {
    Failure::unknown("nonsense", format!("{kind} was answered by {what}"))
}

/// What the body tells of this command; `None` where it is no answer to it.
fn fate(kind: Kind, reply: &Reply) -> Option<Disposition> {
    match reply.kind.as_str() {
        BRIDGE_BUSY => Some(Disposition::Busy),
        BRIDGE_INTERRUPTED => Some(Disposition::Interrupted),
        LINK_ERROR => fate_at_the_sidecar(ErrorName::parse(reply.error.as_deref()?)?),
        word if word == BRIDGE_ERROR || word == kind.error_kind() => {
            Some(Disposition::of_answer(word, Some(reply.error.as_deref()?)))
        }
        word if word == kind.ok_kind() => Some(Disposition::Done),
        LEASE_DRIFTED if kind == Kind::LeaseRelease => Some(Disposition::Done),
        _ => None,
    }
}

/// The sidecar's own refusals and losses, by name.
fn fate_at_the_sidecar(error: ErrorName) -> Option<Disposition> {
    Some(match error {
        ErrorName::NotSent => Disposition::NotSent,
        ErrorName::NoAnswer => Disposition::NoAnswer,
        ErrorName::ProtocolMismatch => Disposition::ProtocolGate,
        ErrorName::Unauthorized => Disposition::Unauthorized,
        ErrorName::NoSuchRoute => Disposition::NoSuchRoute,
        ErrorName::TooLarge => Disposition::TooLarge,
        ErrorName::TtlExpired => Disposition::TtlExpired,
        ErrorName::BadJson | ErrorName::BadField => Disposition::BadJson,
        _ => return None,
    })
}

fn failure(kind: Kind, fate: Disposition, reply: &Reply) -> Failure {
    let name = reply.error.as_deref().unwrap_or_default();
    let told = clip(reply.reason.as_deref().unwrap_or("it gave no reason"), LONGEST_REASON);
    match fate {
        Disposition::Done | Disposition::NoAnswer => {
            Failure::unknown("no_answer", format!("{kind} was sent and no answer came: {told}"))
        }
        Disposition::Busy => Failure::unknown("busy", format!("{kind} is being worked on: {told}")),
        Disposition::Interrupted => Failure {
            retry: false,
            ..Failure::unknown("interrupted", format!("the game restarted in the middle of {kind}: {told}"))
        },
        Disposition::NotSent => Failure::not_now("not_sent", format!("{kind} was not sent: {told}")),
        Disposition::TtlExpired => Failure::not_now("ttl_expired", format!("{kind} came too late to be done: {told}")),
        Disposition::TooSoon => Failure::not_now(name, format!("{kind} came too soon after the last one: {told}")),
        Disposition::Refused
        | Disposition::BadJson
        | Disposition::Unauthorized
        | Disposition::SwitchedOff
        | Disposition::NoSuchRoute
        | Disposition::ProtocolGate
        | Disposition::Superseded
        | Disposition::TooLarge => refusal(kind, name, &told),
    }
}

/// A no in the game's own name, but for the few that are more than a no.
fn refusal(kind: Kind, name: &str, told: &str) -> Failure {
    let reason = format!("{kind} was refused: {told}");
    match ErrorName::parse(name) {
        // The handler had begun: half of it may have been done, and its key is kept, so asking again changes nothing.
        Some(ErrorName::HandlerFailed | ErrorName::NoReply) => Failure { retry: false, ..Failure::unknown(name, reason) },
        Some(ErrorName::KeyStoreFull | ErrorName::JournalFailed) => Failure::not_now(name, reason),
        _ if is_stable(name) => Failure::refused(name, reason),
        _ => Failure::refused("refused", reason),
    }
}

fn is_stable(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    (1..=64).contains(&name.len()) && name.bytes().all(plain)
}

/// The beginning of a text, without control characters.
fn clip(text: &str, most: usize) -> String {
    let mut clipped: String = text.chars().filter(|c| !c.is_control()).take(most + 1).collect();
    if clipped.chars().count() > most {
        clipped.pop();
        clipped.push('…');
    }
    clipped
}

#[cfg(test)]
mod tests;
