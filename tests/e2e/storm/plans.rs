//! What runs while it storms: every kind of thing that the module of the reference game makes, borrows and counts.

use serde_json::{Value, json};

use crate::world::plans::{cue, event, hail, orcs, phase, raid, shout, skill, wait};

/// Every action that the plans take.
pub const ACTIONS: [&str; 6] =
    ["uo.boss.spawn", "uo.decoration.place", "uo.gate.open", "uo.npc.place", "uo.participation.open", "uo.towncrier.post"];

/// What is borrowed, and the game's own names for it.
pub const BORROWED: [(&str, &str); 3] = [
    ("uo.config.skillcap", "PlayerCaps.SkillCap"),
    ("uo.spawner.yew-orchard-1.max_count", "object:yew-orchard-1.MaxCount"),
    ("uo.season.harvestfair", "season:HarvestFair.Status"),
];

pub fn all() -> Vec<Value> {
    vec![
        event("harvest", &[phase("gather", &[hail(), skill()], "3m"), phase("boss", &[raid()], "2m")]),
        event("raid", &[phase("all", &[shout(), orcs("few", 3), wait("2m"), orcs("more", 4)], "1m")]),
        event("cued", &[phase("all", &[orcs("few", 2), cue()], "1m"), phase("end", &[hail()], "1m")]),
        fair(),
        camp(),
    ]
}

fn does(key: &str, action: &str, params: &Value) -> Value {
    json!({"key": key, "action": action, "params": params})
}

fn borrows(key: &str, lease: &str, value: &str, minutes: u32) -> Value {
    does(key, "core.lease", &json!({"lease": lease, "value": value, "minutes": minutes}))
}

/// Values of three planes, and things of every kind.
fn fair() -> Value {
    let place = "yew-orchard";
    let first = [
        borrows("more", BORROWED[1].0, "12", 3),
        borrows("season", BORROWED[2].0, "Active", 60),
        does("count", "uo.participation.open", &json!({"location": place, "radius": 20, "minutes": 120})),
        does("gate", "uo.gate.open", &json!({"location": place, "destination": "britain-bank", "minutes": 240})),
    ];
    let second = [
        does("banner", "uo.decoration.place", &json!({"location": place, "item": "banner"})),
        does("chief", "uo.boss.spawn", &json!({"location": place, "creature": "ettin", "count": 1})),
    ];
    event("fair", &[phase("begins", &first, "2m"), phase("ends", &second, "2m")])
}

/// A value for the time of a camp, somebody to talk to, and word of it.
fn camp() -> Value {
    let place = "yew-orchard";
    let person = json!({"location": place, "name": "Marta", "greeting": "Hail", "keyword1": "raid", "line1": "At dusk"});
    let steps = [
        skill(),
        does("marta", "uo.npc.place", &person),
        does("cry", "uo.towncrier.post", &json!({"text": "Hands are wanted", "minutes": 120})),
        orcs("guards", 2),
        borrows("again", BORROWED[1].0, "9", 60),
    ];
    event("camp", &[phase("all", &steps, "4m")])
}
