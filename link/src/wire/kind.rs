//! The commands there are, and what each of them is: its plane, its stamp, its route.

use std::fmt;

/// One command kind. The kind of a command is chosen by the HTTP route alone, never by a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Says one line to everybody online.
    AdminBroadcast,
    /// Makes creatures that the run owns.
    WorldSpawn,
    /// Removes objects that the run owns. An undo.
    WorldDespawn,
    /// Tells every value that may be borrowed, and who holds it.
    LeaseList,
    /// Borrows a value until a deadline.
    LeaseApply,
    /// Gives a borrowed value back by compare-and-set. An undo.
    LeaseRelease,
    /// Ends a run: later commands of it with that fence or a lower one are refused, but for undos.
    RunClose,
}

/// Which consent of the game's operator a command needs. Both are off until switched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Plane {
    /// Changes that a person at a screen asks for.
    Admin,
    /// Changes that a schedule makes unattended.
    Events,
}

/// Which of `runId`, `fence`, `ttlMs` and `idempotencyKey` a command must carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stamping {
    /// None; those present are still judged.
    Free,
    /// `runId` and `fence`.
    Run,
    /// All four.
    World,
}

/// The HTTP method of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    Get,
    Post,
}

impl Kind {
    /// Every kind, in the order of the specification.
    pub const ALL: [Self; 7] = [
        Self::AdminBroadcast,
        Self::WorldSpawn,
        Self::WorldDespawn,
        Self::LeaseList,
        Self::LeaseApply,
        Self::LeaseRelease,
        Self::RunClose,
    ];

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AdminBroadcast => "admin.broadcast",
            Self::WorldSpawn => "world.spawn",
            Self::WorldDespawn => "world.despawn",
            Self::LeaseList => "lease.list",
            Self::LeaseApply => "lease.apply",
            Self::LeaseRelease => "lease.release",
            Self::RunClose => "run.close",
        }
    }

    /// The kind of that word, or `None` where there is no such command.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// The kind of the answer that says that it was done.
    pub const fn ok_kind(self) -> &'static str {
        match self {
            Self::AdminBroadcast => "admin.ok",
            Self::WorldSpawn => "world.spawn.ok",
            Self::WorldDespawn => "world.despawn.ok",
            Self::LeaseList => "lease.list.ok",
            Self::LeaseApply | Self::LeaseRelease => "lease.ok",
            Self::RunClose => "run.ok",
        }
    }

    /// The kind of its refusal: the command's own with `.error` behind it.
    pub const fn error_kind(self) -> &'static str {
        match self {
            Self::AdminBroadcast => "admin.broadcast.error",
            Self::WorldSpawn => "world.spawn.error",
            Self::WorldDespawn => "world.despawn.error",
            Self::LeaseList => "lease.list.error",
            Self::LeaseApply => "lease.apply.error",
            Self::LeaseRelease => "lease.release.error",
            Self::RunClose => "run.close.error",
        }
    }

    /// The operator's consent that it needs.
    pub const fn plane(self) -> Plane {
        match self {
            Self::AdminBroadcast => Plane::Admin,
            _ => Plane::Events,
        }
    }

    /// The stamp that it must carry.
    pub const fn stamping(self) -> Stamping {
        match self {
            Self::AdminBroadcast | Self::LeaseList => Stamping::Free,
            Self::RunClose => Stamping::Run,
            Self::WorldSpawn | Self::WorldDespawn | Self::LeaseApply | Self::LeaseRelease => Stamping::World,
        }
    }

    /// Whether it only takes back what a run made or borrowed. Undos pass a closed run and any fence.
    pub const fn is_undo(self) -> bool {
        matches!(self, Self::WorldDespawn | Self::LeaseRelease)
    }

    /// Method and path of its HTTP route at the sidecar.
    pub const fn route(self) -> (Method, &'static str) {
        match self {
            Self::AdminBroadcast => (Method::Post, "/admin/broadcast"),
            Self::WorldSpawn => (Method::Post, "/world/spawn"),
            Self::WorldDespawn => (Method::Post, "/world/despawn"),
            Self::LeaseList => (Method::Get, "/lease"),
            Self::LeaseApply => (Method::Post, "/lease"),
            Self::LeaseRelease => (Method::Post, "/lease/release"),
            Self::RunClose => (Method::Post, "/run/close"),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
