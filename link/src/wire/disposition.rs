//! What became of a command, as one HTTP status. The table is [`Disposition::status`]; there is no other.

use super::{BRIDGE_BUSY, BRIDGE_INTERRUPTED, ErrorName};

/// The fate of one command, as far as the sidecar can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Disposition {
    /// A yes, also a drifted lease and a replayed answer: the game did what it was asked, or had done it before.
    Done,
    /// A definite no. Nothing was changed, unless its name is `handler_failed` or `no_reply`: then the effect is unknown.
    Refused,
    /// The body is no JSON object; it went nowhere.
    BadJson,
    /// The bearer token is missing or wrong.
    Unauthorized,
    /// The operator of the game has that plane switched off.
    SwitchedOff,
    /// No such route or method.
    NoSuchRoute,
    /// The order was too old when its turn came; nothing was changed.
    TtlExpired,
    /// The game on the line speaks another protocol: a fault of deployment, not to be retried.
    ProtocolGate,
    /// The run is closed, or a newer claim of it is at work: the sender is late and must stop.
    Superseded,
    /// The body is over the limit; it went nowhere.
    TooLarge,
    /// Begun before a restart of the game; whether it applied is unknown; it never runs again.
    Interrupted,
    /// The same key is being worked on; a later repeat is answered.
    Busy,
    /// Too short a while after the last one: nothing was done, and waiting mends it.
    TooSoon,
    /// No game is connected: nothing was sent.
    NotSent,
    /// Sent, and no answer: whether it applied is unknown. A repeat under the same key tells.
    NoAnswer,
}

impl Disposition {
    /// The HTTP status of each fate.
    pub const fn status(self) -> u16 {
        match self {
            Self::Done => 200,
            Self::Refused | Self::BadJson => 400,
            Self::Unauthorized => 401,
            Self::SwitchedOff => 403,
            Self::NoSuchRoute => 404,
            Self::TtlExpired => 408,
            Self::ProtocolGate => 409,
            Self::Superseded => 410,
            Self::TooLarge => 413,
            Self::Interrupted => 424,
            Self::Busy => 425,
            Self::TooSoon => 429,
            Self::NotSent => 503,
            Self::NoAnswer => 504,
        }
    }

    /// The fate that a status tells, read by the sender. `None` for a status that no sidecar of this protocol sends; the sender
    /// must then hold the outcome for unknown. 400 reads as [`Self::Refused`] (the body's `error` tells `bad_json` apart).
    pub const fn of_status(status: u16) -> Option<Self> {
        Some(match status {
            200 => Self::Done,
            400 => Self::Refused,
            401 => Self::Unauthorized,
            403 => Self::SwitchedOff,
            404 => Self::NoSuchRoute,
            408 => Self::TtlExpired,
            409 => Self::ProtocolGate,
            410 => Self::Superseded,
            413 => Self::TooLarge,
            424 => Self::Interrupted,
            425 => Self::Busy,
            429 => Self::TooSoon,
            503 => Self::NotSent,
            504 => Self::NoAnswer,
            _ => return None,
        })
    }

    /// The fate that a game's answer tells, by its `kind` and, for a refusal, its `error`.
    pub fn of_answer(kind: &str, error: Option<&str>) -> Self {
        match kind {
            BRIDGE_BUSY => Self::Busy,
            BRIDGE_INTERRUPTED => Self::Interrupted,
            _ if super::is_refusal(kind) => Self::of_refusal(error.and_then(ErrorName::parse)),
            _ => Self::Done,
        }
    }

    fn of_refusal(error: Option<ErrorName>) -> Self {
        match error {
            Some(ErrorName::EventsDisabled | ErrorName::AdminDisabled) => Self::SwitchedOff,
            Some(ErrorName::RunClosed | ErrorName::StaleFence) => Self::Superseded,
            Some(ErrorName::TtlExpired) => Self::TtlExpired,
            Some(ErrorName::SaveTooSoon) => Self::TooSoon,
            Some(ErrorName::Interrupted) => Self::Interrupted,
            _ => Self::Refused,
        }
    }
}
