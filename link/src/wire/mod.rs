//! Frames, commands, answers, error names, limits and the table of HTTP statuses.
//!
//! One JSON object a line crosses between a game and the sidecar; the same objects, less `kind` and `reqId`, are the bodies of the
//! sidecar's HTTP routes. Everything here is shared by both halves, so a name is spelled once.

pub mod act;
pub mod answer;
pub mod command;
pub mod correlation;
pub mod disposition;
pub mod error_name;
pub mod feed;
pub mod framing;
pub mod hello;
pub mod kind;
pub mod limits;
pub mod mark;
pub mod participation;
pub mod refusal;
pub mod serial;
pub mod verb;

pub use act::{
    Act, ActReconcile, ActReconciled, ActRevert, ActReverted, ActVerify, Acted, ChoiceTold, Made, OptionsAsked, OptionsTold,
    Thing, TookPart, WaitsFor,
};
pub use answer::{Catalogue, Despawned, Held, LeaseApplied, LeaseReleased, LeaseRow, LookedAt, Reach, Reply, RunClosed, Spawned};
pub use command::{
    Boss, Broadcast, CloseRun, Despawn, LeaseApply, LeaseRelease, ListLeases, LookAt, OptionalStamp, Spawn, Stamp,
};
pub use correlation::Correlation;
pub use disposition::Disposition;
pub use error_name::ErrorName;
pub use framing::{Line, LineSplitter, is_too_deep};
pub use hello::{Hello, LinkRefused, ManifestTold, Welcome};
pub use kind::{Kind, Method, Plane, Stamping};
pub use limits::PROTOCOL;
pub use mark::{Mark, Seen};
pub use participation::{MemberRow, OfRun, OpenParticipation, ParticipationClosed, ParticipationOpened, Snapshot};
pub use refusal::Refusal;
pub use serial::Serial;
pub use verb::{
    Decorate, GateOpened, Grant, Granted, NpcLine, OpenGate, PlaceNpc, Placed, PostCrier, PostNews, SaveWorld, ToParticipants,
    WorldSaved,
};

/// `bridge.busy`: the key is still being worked on; nothing ran now. The field `busyKind` names the command in flight.
pub const BRIDGE_BUSY: &str = "bridge.busy";
/// `bridge.error`: a definite no from the plumbing (not from a handler). Its key, if it has one, is kept.
pub const BRIDGE_ERROR: &str = "bridge.error";
/// `bridge.interrupted`: the key was begun before a restart and its answer is unknown; it will never run again.
pub const BRIDGE_INTERRUPTED: &str = "bridge.interrupted";
/// `lease.drifted`: somebody else changed the value; nothing was written.
pub const LEASE_DRIFTED: &str = "lease.drifted";
/// `lease.expired`: a frame (no answer) that says that a deadline passed at the game.
pub const LEASE_EXPIRED: &str = "lease.expired";
/// `link.error`: an answer of the sidecar itself, which never reached a game or lost its answer.
pub const LINK_ERROR: &str = "link.error";
/// `server.hello`: a game's first frame; in the feed, that another boot or another manifest of it is on the line.
pub const SERVER_HELLO: &str = "server.hello";
/// `server.shutdown`: a frame that says that a game is going away on purpose.
pub const SERVER_SHUTDOWN: &str = "server.shutdown";

/// Whether an answer of that kind is a refusal. The suffix decides, so that kinds added later are covered.
pub fn is_refusal(kind: &str) -> bool {
    kind.strip_suffix(".error").is_some()
}

#[cfg(test)]
mod tests;
