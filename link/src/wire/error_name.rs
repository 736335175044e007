//! The stable names of refusals and failures: the field `error` of every answer that is not a yes.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! error_names {
    ($($(#[doc = $doc:literal])+ $variant:ident = $word:literal,)+) => {
        /// Why something was not done. Programs branch on it; people read `reason`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum ErrorName {
            $($(#[doc = $doc])+ #[serde(rename = $word)] $variant,)+
        }

        impl ErrorName {
            /// Every name.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The word on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }
    };
}

error_names! {
    /// The line or body is no JSON object.
    BadJson = "bad_json",
    /// A field is missing, of the wrong type or out of the wire's limits.
    BadField = "bad_field",
    /// No field to correlate an answer with.
    NoCorrelation = "no_correlation",
    /// The game knows no such command.
    UnknownKind = "unknown_kind",
    /// The line or body is over the limit.
    TooLarge = "too_large",
    /// The operator has not switched unattended changes on.
    EventsDisabled = "events_disabled",
    /// The operator has not switched admin commands on.
    AdminDisabled = "admin_disabled",
    /// The run was closed at this fence or a higher one.
    RunClosed = "run_closed",
    /// A higher fence of the run was seen before.
    StaleFence = "stale_fence",
    /// The order was no longer good when its turn came.
    TtlExpired = "ttl_expired",
    /// The key is being worked on; `busyKind` says by which command. No refusal: a later repeat is answered.
    Busy = "busy",
    /// The key was begun before a restart; whether it applied is unknown; it never runs again.
    Interrupted = "interrupted",
    /// The key belongs to another command.
    KeyReused = "key_reused",
    /// The repeat correlates on another field than the first attempt.
    CorrelationChanged = "correlation_changed",
    /// Every remembered key is still in flight.
    KeyStoreFull = "key_store_full",
    /// The handler failed half-way; its key is kept.
    HandlerFailed = "handler_failed",
    /// The handler ran and answered nothing; its key is kept.
    NoReply = "no_reply",
    /// The game cannot write its journal, so it will not begin.
    JournalFailed = "journal_failed",
    /// No such map.
    UnknownMap = "unknown_map",
    /// The point is not on the map.
    OutOfBounds = "out_of_bounds",
    /// Not on the allowlist.
    UnknownCreature = "unknown_creature",
    /// More creatures than the game allows one run.
    CeilingExceeded = "ceiling_exceeded",
    /// More boss variants than the game allows one run.
    BossesExceeded = "bosses_exceeded",
    /// A boss variant stronger than the game makes one.
    BossTooStrong = "boss_too_strong",
    /// Loot was asked for; an event's creatures carry none.
    NoLoot = "no_loot",
    /// More persons than the game allows one run.
    NpcsExceeded = "npcs_exceeded",
    /// More lines than a person or a crier says.
    LinesExceeded = "lines_exceeded",
    /// More gates than the game allows one run.
    GatesExceeded = "gates_exceeded",
    /// Longer than a gate may stand open.
    GateTooLong = "gate_too_long",
    /// The two ends of the gate lie on different facets.
    GateAcrossFacets = "gate_across_facets",
    /// More decorative objects than the game allows one run.
    DecorationsExceeded = "decorations_exceeded",
    /// Not among the objects that may be placed, or the items that may be granted.
    UnknownItem = "unknown_item",
    /// It can hold things, and its removal would take what a player left inside.
    ContainerRefused = "container_refused",
    /// More items than one grant hands out.
    GrantExceeded = "grant_exceeded",
    /// The recipient has access above that of a player.
    AccessFloor = "access_floor",
    /// The last save was too short a while ago; `retryAfterMs` says how long to wait.
    SaveTooSoon = "save_too_soon",
    /// The save could not be written; the earlier one stands.
    SaveFailed = "save_failed",
    /// A wider area than the game counts in.
    AreaTooWide = "area_too_wide",
    /// As many runs are counted as the game counts at once.
    TooManyCounted = "too_many_counted",
    /// The run has a tally of another area, or one that is closed.
    AlreadyCounted = "already_counted",
    /// Nobody counts, or has counted, who takes part in that run.
    NotCounted = "not_counted",
    /// More notices than the game keeps.
    NoticesExceeded = "notices_exceeded",
    /// The game's manifest declares no such action.
    UnknownAction = "unknown_action",
    /// The game's manifest declares no such source of choices.
    UnknownSource = "unknown_source",
    /// Not in the catalogue of what may be borrowed.
    UnknownLease = "unknown_lease",
    /// The text is no value of the lease's type.
    BadValue = "bad_value",
    /// Below the minimum or above the maximum.
    OutOfRange = "out_of_range",
    /// Longer than the game lets a value be borrowed.
    HoldTooLong = "hold_too_long",
    /// Somebody holds it; `holder` says who.
    Held = "held",
    /// The run applied another value than the one it now says it applied.
    AppliedMismatch = "applied_mismatch",
    /// The game on the line speaks another protocol.
    ProtocolMismatch = "protocol_mismatch",
    /// No game is connected; nothing was sent.
    NotSent = "not_sent",
    /// It was sent and no answer came: whether it applied is unknown.
    NoAnswer = "no_answer",
    /// The sidecar has several games and the request names none of them; `scopes` lists them.
    ScopeNeeded = "scope_needed",
    /// Another connection has the game's line, or the game did not poll for too long: it says hello again.
    SessionOver = "session_over",
    /// The disk does not take what must be kept, or does not give what was.
    DiskFailed = "disk_failed",
    /// The bearer token is missing or wrong.
    Unauthorized = "unauthorized",
    /// The sidecar has no such route.
    NoSuchRoute = "no_such_route",
}

impl ErrorName {
    /// The name of that word, or `None` where it is none of ours.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|name| name.as_str() == word)
    }
}

impl fmt::Display for ErrorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
