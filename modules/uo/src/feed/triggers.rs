//! What a gate may wait for: each trigger, its variables, and the reports that fire it.

use leasehold_link::wire::SERVER_SHUTDOWN;
use leasehold_link::wire::feed::{BOSS_KILLED, CHAMP_UPDATE, MOB_KILLED, PLAYER_DEATH, PRESENCE, REGION_ENTER, SAVE_FINISHED};
use leasehold_module::{ParamType, Trigger, TriggerField};
use serde_json::{Value, json};

use crate::visibility::SERVER_HELLO;

/// One trigger: the kind of report that fires it, and its variables as `(name, the report's field, example)`.
pub struct Declared {
    pub kind: &'static str,
    pub id: &'static str,
    label: &'static str,
    awaiting: &'static str,
    /// The type of each is that of its example.
    pub vars: &'static [(&'static str, &'static str, Example)],
}

/// An example, which says the type too.
#[derive(Clone, Copy)]
pub enum Example {
    Text(&'static str),
    Number(i64),
    Flag(bool),
}

use Example::{Flag, Number, Text};

const REGION: (&str, &str, Example) = ("region", "region", Text("Yew Orchard"));
const MAP: (&str, &str, Example) = ("map", "map", Text("Felucca"));

/// All of them. A name of a person is in none: what a trigger carries may be told to anybody.
pub const ALL: &[Declared] = &[
    Declared {
        kind: BOSS_KILLED,
        id: "uo.champ.boss_killed",
        label: "A boss was killed",
        awaiting: "a boss to fall",
        vars: &[
            REGION,
            MAP,
            ("boss", "boss", Text("Semidar")),
            ("category", "category", Text("champion")),
            ("altar", "type", Text("Abyss")),
            ("damagerCount", "damagerCount", Number(2)),
            ("damagerNote", "damagerNote", Text("by the hands of 2")),
        ],
    },
    Declared {
        kind: CHAMP_UPDATE,
        id: "uo.champ.changed",
        label: "A champion rose, fell or went",
        awaiting: "an altar to change",
        vars: &[
            REGION,
            MAP,
            ("boss", "boss", Text("Semidar")),
            ("category", "category", Text("champion")),
            ("altar", "type", Text("Abyss")),
            ("up", "bossUp", Flag(true)),
        ],
    },
    Declared {
        kind: MOB_KILLED,
        id: "uo.mob.killed",
        label: "A creature was killed",
        awaiting: "a creature to fall",
        vars: &[
            REGION,
            MAP,
            ("creature", "creature", Text("orc")),
            ("name", "name", Text("an orchard raider")),
            ("ours", "ours", Flag(true)),
            ("byPlayer", "byPlayer", Flag(true)),
        ],
    },
    Declared {
        kind: PLAYER_DEATH,
        id: "uo.player.died",
        label: "A player died",
        awaiting: "a player to die",
        vars: &[REGION, MAP],
    },
    Declared {
        kind: REGION_ENTER,
        id: "uo.region.entered",
        label: "A player entered a region",
        awaiting: "a player to arrive",
        vars: &[("region", "to", Text("Yew Orchard")), ("from", "from", Text("Yew")), MAP],
    },
    Declared {
        kind: PRESENCE,
        id: "uo.presence.changed",
        label: "More or fewer players are online",
        awaiting: "players to come online",
        vars: &[("count", "count", Number(12))],
    },
    Declared {
        kind: SERVER_HELLO,
        id: "uo.server.started",
        label: "The game started",
        awaiting: "the game to start",
        vars: &[("game", "game", Text("reference shard"))],
    },
    Declared {
        kind: SERVER_SHUTDOWN,
        id: "uo.server.stopped",
        label: "The game stopped",
        awaiting: "the game to stop",
        vars: &[],
    },
    Declared {
        kind: SAVE_FINISHED,
        id: "uo.world.saved",
        label: "The world was saved",
        awaiting: "the world to be saved",
        vars: &[("ok", "ok", Flag(true)), ("creatures", "creatures", Number(2_300))],
    },
];

/// As the manifest declares them.
pub fn triggers() -> Vec<Trigger> {
    let field = |(name, _, example): &(&str, &str, Example)| {
        let (value_type, example): (ParamType, Value) = match example {
            Text(text) => (ParamType::String, json!(text)),
            Number(number) => (ParamType::Int, json!(number)),
            Flag(flag) => (ParamType::Bool, json!(flag)),
        };
        TriggerField { name: (*name).to_owned(), value_type, example }
    };
    let trigger = |declared: &Declared| Trigger {
        id: declared.id.into(),
        label: declared.label.into(),
        awaiting: declared.awaiting.into(),
        fields: declared.vars.iter().map(field).collect(),
    };
    ALL.iter().map(trigger).collect()
}

impl Example {
    /// Whether a value is of its type.
    pub fn fits(self, value: &Value) -> bool {
        match self {
            Text(_) => value.is_string(),
            Number(_) => value.is_i64() || value.is_u64(),
            Flag(_) => value.is_boolean(),
        }
    }
}
