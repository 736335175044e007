//! The commands there are, and what each of them is: its plane, its stamp, its route.

use std::fmt;

/// One command kind. The kind of a command is chosen by the HTTP route alone, never by a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Says one line to everybody online.
    AdminBroadcast,
    /// Has the town criers cry lines for a while.
    TowncrierPost,
    /// Puts an article on the game's news board.
    NewsPost,
    /// Makes creatures that the run owns.
    WorldSpawn,
    /// Places a person who greets and answers to words.
    WorldNpc,
    /// Opens a gate between two points until a deadline that the game keeps.
    WorldGate,
    /// Places a decorative object.
    WorldDecorate,
    /// Puts an item into the packs of characters, for good.
    WorldGrant,
    /// Saves the world.
    WorldSave,
    /// Removes objects that the run owns. An undo.
    WorldDespawn,
    /// Does one action of the game's own manifest.
    ActPerform,
    /// Tells whether the game would do it. Changes nothing.
    ActVerify,
    /// Takes back what an action of the manifest made. An undo.
    ActRevert,
    /// Tells which of the things that a run owns are still there. Changes nothing.
    ActReconcile,
    /// Tells the choices of one of the manifest's option sources. Changes nothing.
    OptionsList,
    /// Tells which objects of the run are there. Changes nothing.
    WorldLook,
    /// Tells every value that may be borrowed, and who holds it.
    LeaseList,
    /// Borrows a value until a deadline.
    LeaseApply,
    /// Gives a borrowed value back by compare-and-set. An undo.
    LeaseRelease,
    /// Begins to count who takes part in a run.
    ParticipationOpen,
    /// Tells who has taken part so far, and changes nothing.
    ParticipationSnapshot,
    /// Ends the counting. An undo: it only ends what the run began.
    ParticipationClose,
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

/// What one kind is, in the order of `facts!`.
struct Facts {
    word: &'static str,
    ok: &'static str,
    error: &'static str,
    plane: Plane,
    stamping: Stamping,
    undo: bool,
    route: (Method, &'static str),
}

/// What stands in a route for the run's id.
const RUN_ID: &str = "{runId}";

macro_rules! facts {
    ($word:literal, $ok:literal, $plane:ident, $stamping:ident, $undo:literal, $method:ident $path:expr) => {
        Facts {
            word: $word,
            ok: $ok,
            error: concat!($word, ".error"),
            plane: Plane::$plane,
            stamping: Stamping::$stamping,
            undo: $undo,
            route: (Method::$method, $path),
        }
    };
}

impl Kind {
    /// Every kind, in the order of the specification.
    pub const ALL: [Self; 23] = [
        Self::AdminBroadcast,
        Self::TowncrierPost,
        Self::NewsPost,
        Self::WorldSpawn,
        Self::WorldNpc,
        Self::WorldGate,
        Self::WorldDecorate,
        Self::WorldGrant,
        Self::WorldSave,
        Self::WorldDespawn,
        Self::ActPerform,
        Self::ActVerify,
        Self::ActRevert,
        Self::ActReconcile,
        Self::OptionsList,
        Self::WorldLook,
        Self::LeaseList,
        Self::LeaseApply,
        Self::LeaseRelease,
        Self::ParticipationOpen,
        Self::ParticipationSnapshot,
        Self::ParticipationClose,
        Self::RunClose,
    ];

    /// The one table: word, kind of the yes, consent, stamp, whether it is an undo, route.
    const fn facts(self) -> Facts {
        match self {
            Self::AdminBroadcast => facts!("admin.broadcast", "admin.ok", Admin, Free, false, Post "/admin/broadcast"),
            Self::TowncrierPost => facts!("towncrier.post", "towncrier.ok", Admin, World, false, Post "/towncrier"),
            Self::NewsPost => facts!("news.post", "news.ok", Admin, World, false, Post "/news"),
            Self::WorldSpawn => facts!("world.spawn", "world.spawn.ok", Events, World, false, Post "/world/spawn"),
            Self::WorldNpc => facts!("world.npc", "world.npc.ok", Events, World, false, Post "/world/npc"),
            Self::WorldGate => facts!("world.gate", "world.gate.ok", Events, World, false, Post "/world/gate"),
            Self::WorldDecorate => facts!("world.decorate", "world.decorate.ok", Events, World, false, Post "/world/decorate"),
            Self::WorldGrant => facts!("world.grant", "world.grant.ok", Events, World, false, Post "/world/grant"),
            Self::WorldSave => facts!("world.save", "world.save.ok", Events, World, false, Post "/world/save"),
            Self::WorldDespawn => facts!("world.despawn", "world.despawn.ok", Events, World, true, Post "/world/despawn"),
            Self::ActPerform => facts!("act.perform", "act.ok", Events, World, false, Post "/act"),
            Self::ActVerify => facts!("act.verify", "act.verify.ok", Events, Free, false, Post "/act/verify"),
            Self::ActRevert => facts!("act.revert", "act.revert.ok", Events, World, true, Post "/act/revert"),
            Self::ActReconcile => facts!("act.reconcile", "act.reconcile.ok", Events, Free, false, Post "/act/reconcile"),
            Self::OptionsList => facts!("options.list", "options.ok", Events, Free, false, Post "/options"),
            Self::WorldLook => facts!("world.look", "world.look.ok", Events, Free, false, Post "/world/look"),
            Self::LeaseList => facts!("lease.list", "lease.list.ok", Events, Free, false, Get "/lease"),
            Self::LeaseApply => facts!("lease.apply", "lease.ok", Events, World, false, Post "/lease"),
            Self::LeaseRelease => facts!("lease.release", "lease.ok", Events, World, true, Post "/lease/release"),
            Self::ParticipationOpen => {
                facts!("participation.open", "participation.ok", Events, World, false, Post "/participation")
            }
            Self::ParticipationSnapshot => {
                let path = "/participation/{runId}/snapshot";
                facts!("participation.snapshot", "participation.snapshot.ok", Events, World, false, Post path)
            }
            Self::ParticipationClose => {
                facts!("participation.close", "participation.ok", Events, World, true, Post "/participation/{runId}/close")
            }
            Self::RunClose => facts!("run.close", "run.ok", Events, Run, false, Post "/run/close"),
        }
    }

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        self.facts().word
    }

    /// The kind of that word, or `None` where there is no such command.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// The kind of the answer that says that it was done.
    pub const fn ok_kind(self) -> &'static str {
        self.facts().ok
    }

    /// The kind of its refusal: the command's own with `.error` behind it.
    pub const fn error_kind(self) -> &'static str {
        self.facts().error
    }

    /// The operator's consent that it needs.
    pub const fn plane(self) -> Plane {
        self.facts().plane
    }

    /// The stamp that it must carry.
    pub const fn stamping(self) -> Stamping {
        self.facts().stamping
    }

    /// Whether it only takes back what a run made or borrowed. Undos pass a closed run and any fence.
    pub const fn is_undo(self) -> bool {
        self.facts().undo
    }

    /// Whether it only looks. Looks pass a closed run and any fence, as undos do, and leave no mark; a game remembers their keys in
    /// memory only, because running one again does no harm.
    pub const fn reads(self) -> bool {
        matches!(
            self,
            Self::LeaseList
                | Self::OptionsList
                | Self::ActVerify
                | Self::ActReconcile
                | Self::WorldLook
                | Self::ParticipationSnapshot
        )
    }

    /// The path of its route for a run: where the route names the run, the run's id stands in it, with every byte that is no letter,
    /// digit or one of `-._~` as `%XX`.
    pub fn path_of(self, run_id: &str) -> String {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let spell = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
        self.route().1.replace(RUN_ID, &run_id.bytes().map(spell).collect::<String>())
    }

    /// Whether the path is one of its route's.
    pub fn has_path(self, path: &str) -> bool {
        let (before, after) = self.route().1.split_once(RUN_ID).unwrap_or((self.route().1, ""));
        let between = path.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        between.is_some_and(|run| run.is_empty() != self.route().1.contains(RUN_ID) && !run.contains('/'))
    }

    /// Method and path of its HTTP route at the sidecar; `{runId}` stands for the run's id.
    pub const fn route(self) -> (Method, &'static str) {
        self.facts().route
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
