//! The actions beside broadcast and spawn.

use leasehold_link::wire::limits::{
    ARTICLE_MAX_CHARS, BOSS_DAMAGE_MAX, BOSS_HITS_MAX, CRIER_MAX_MS, GATE_MAX_MS, GRANT_AMOUNT_MAX, GRANT_RECIPIENTS_MAX,
    HOLD_MAX_MS, KEYWORD_MAX_CHARS, LINE_MAX_CHARS, NAME_MAX_CHARS, NOTICE_ID_MAX_BYTES, NPC_LINES_MAX, PARTICIPATION_RADIUS_MAX,
    TITLE_MAX_CHARS,
};
use leasehold_module::{Action, Audience, Budget, CostTerm, Factor, Param, ParamType, Promise, Reversible, Risk};
use serde_json::{Value, json};

use super::{CREATURES, hue, param, spawn_params};
use crate::{atlas, decorate, gate, grant, notice, npc, participation, save, spawn};

const BOSSES: &str = "uo.bosses";
const NPCS: &str = "uo.npcs";
const GATE_MINUTES: &str = "uo.gate.minutes";
const REWARDS: &str = "uo.rewards";

pub fn budgets() -> Vec<Budget> {
    let budget = |id: &str, label: &str, unit: &str| Budget { id: id.into(), label: label.into(), unit: unit.into() };
    vec![
        budget(BOSSES, "Boss variants", "count"),
        budget(NPCS, "Event persons", "count"),
        budget(GATE_MINUTES, "Gate uptime", "minutes"),
        budget(REWARDS, "Items given", "count"),
    ]
}

pub fn actions(budget_ms: u64) -> Vec<Action> {
    let actions =
        [boss(), person(), gate(), decoration(), grant(), grant_to_all(), save(), crier(), news(), counting(), collecting()];
    actions.into_iter().map(|action| Action { budget_ms, ..action }).collect()
}

/// What changes the world and is taken back from the ledger; each action says where it differs.
fn change(id: &str, label: &str, description: &str, summary: &str) -> Action {
    Action {
        id: id.into(),
        label: label.into(),
        description: description.into(),
        summary: summary.into(),
        risk: Risk::Change,
        reversible: Reversible::Ledger,
        promise: Promise::EffectOnce,
        version: 1,
        budget_ms: 0,
        cost: Vec::new(),
        params: Vec::new(),
        tells: None,
    }
}

fn costs(dimension: &str, factor: Factor) -> CostTerm {
    CostTerm { dimension: dimension.into(), factors: vec![factor], when: None }
}

fn by(param: &str) -> Factor {
    Factor::Param(param.into())
}

fn text(name: &str, required: bool, longest: usize, example: &str) -> Param {
    let max_length = Some(u32::try_from(longest).unwrap_or(u32::MAX));
    Param { required, max_length, ..param(name, ParamType::String, json!(example)) }
}

fn number(name: &str, required: bool, range: (u64, u64), example: u64) -> Param {
    let (min, max) = (Some(range.0.to_string()), Some(range.1.to_string()));
    Param { required, min, max, ..param(name, ParamType::Int, json!(example)) }
}

fn chosen(name: &str, source: &str, example: Value) -> Param {
    Param { required: true, source: Some(source.into()), ..param(name, ParamType::String, example) }
}

fn location() -> Param {
    chosen("location", atlas::LANDMARKS, json!("yew-orchard"))
}

fn boss() -> Action {
    let mut params = spawn_params(2);
    params.push(number("hits", false, (100, BOSS_HITS_MAX.into()), 400));
    params.push(number("damage", false, (100, BOSS_DAMAGE_MAX.into()), 150));
    let description =
        "Places stronger ones of a kind, by percent of its hit points and damage, and takes them away after the event.";
    Action {
        cost: vec![costs(CREATURES, by("count")), costs(BOSSES, by("count"))],
        params,
        ..change(spawn::BOSS_ID, "Spawn boss variants", description, "spawn {count} boss variants of {creature} at {location}")
    }
}

fn person() -> Action {
    let mut params = vec![
        location(),
        text("name", true, NAME_MAX_CHARS, "Old Marta"),
        text("greeting", true, LINE_MAX_CHARS, "The orchard needs hands."),
        hue(),
    ];
    for line in 1..=NPC_LINES_MAX {
        params.push(text(&format!("keyword{line}"), false, KEYWORD_MAX_CHARS, "raiders"));
        params.push(text(&format!("line{line}"), false, LINE_MAX_CHARS, "They come at dusk."));
    }
    let description = "Places a person who greets whoever comes near and answers to words, and takes it away after the event.";
    Action {
        cost: vec![costs(NPCS, Factor::Constant(1))],
        params,
        ..change(npc::ID, "Place a person", description, "place {name} at {location}")
    }
}

fn gate() -> Action {
    let description = "Opens a gate between two landmarks of one facet. The game closes it when its minutes are over.";
    Action {
        cost: vec![costs(GATE_MINUTES, by("minutes"))],
        params: vec![
            location(),
            chosen("destination", atlas::LANDMARKS, json!("britain-bank")),
            number("minutes", true, (1, GATE_MAX_MS / 60_000), 60),
            hue(),
        ],
        ..change(gate::ID, "Open a gate", description, "open a gate from {location} to {destination} for {minutes} minutes")
    }
}

fn decoration() -> Action {
    let beside = |name: &str| {
        let (min, max) = (Some("-20".into()), Some("20".into()));
        Param { min, max, ..param(name, ParamType::Int, json!(3)) }
    };
    let description = "Places one decorative object, never one that holds things, and takes it away after the event.";
    Action {
        params: vec![location(), chosen("item", atlas::DECORATIONS, json!("banner")), beside("east"), beside("south"), hue()],
        ..change(decorate::ID, "Place decoration", description, "place a {item} at {location}")
    }
}

fn grant() -> Action {
    Action {
        risk: Risk::Irreversible,
        reversible: Reversible::None,
        cost: vec![costs(REWARDS, by("amount"))],
        params: vec![
            chosen("item", atlas::GIFTS, json!("event_token")),
            number("amount", true, (1, GRANT_AMOUNT_MAX.into()), 1),
            text("recipient", true, 10, "0x4000112C"),
        ],
        ..change(
            grant::ID,
            "Give an item",
            "Puts an item into a character's pack, for good.",
            "give {amount} {item} to {recipient}",
        )
    }
}

fn grant_to_all() -> Action {
    Action {
        risk: Risk::Irreversible,
        reversible: Reversible::None,
        cost: vec![CostTerm { dimension: REWARDS.into(), factors: vec![by("amount"), by("most")], when: None }],
        params: vec![
            chosen("item", atlas::GIFTS, json!("event_token")),
            number("amount", true, (1, GRANT_AMOUNT_MAX.into()), 1),
            number("most", true, (1, GRANT_RECIPIENTS_MAX as u64), 50),
            number("min_score", false, (0, 1_000_000), 5),
        ],
        ..change(
            grant::ALL_ID,
            "Give an item to who took part",
            "Puts an item into the pack of everybody whom the game has counted with at least that score, for good.",
            "give {amount} {item} to everybody who took part, {most} at most",
        )
    }
}

fn counting() -> Action {
    let description =
        "Has the game count who is in an area, for how long, and what falls by their hand, until the event is over.";
    Action {
        params: vec![
            location(),
            number("radius", false, (1, PARTICIPATION_RADIUS_MAX.into()), 30),
            number("minutes", true, (1, HOLD_MAX_MS / 60_000), 120),
        ],
        ..change(participation::OPEN_ID, "Count who takes part", description, "count who takes part at {location}")
    }
}

fn collecting() -> Action {
    let description =
        "Takes down who has taken part so far, with their scores. Once more, it takes the place of what was taken down before.";
    Action {
        risk: Risk::Inspect,
        reversible: Reversible::None,
        ..change(participation::COLLECT_ID, "Take down who took part", description, "take down who took part")
    }
}

fn save() -> Action {
    let description = "Writes the world to disk. The game does so once in 300 seconds at most.";
    Action { reversible: Reversible::None, ..change(save::ID, "Save the world", description, "save the world") }
}

fn crier() -> Action {
    Action {
        risk: Risk::Notify,
        tells: Some(Audience::Everyone),
        params: vec![
            text("text", true, LINE_MAX_CHARS, "Hands are wanted in Yew"),
            number("minutes", true, (1, CRIER_MAX_MS / 60_000), 60),
            text("notice", false, NOTICE_ID_MAX_BYTES, "harvest"),
        ],
        ..change(notice::CRIER_ID, "Have it cried", "Has the town criers cry a line for a while.", "have it cried: {text}")
    }
}

fn news() -> Action {
    Action {
        risk: Risk::Notify,
        tells: Some(Audience::Everyone),
        params: vec![
            text("title", true, TITLE_MAX_CHARS, "The harvest of Yew"),
            text("text", true, ARTICLE_MAX_CHARS, "Yew asks for hands."),
            text("notice", false, NOTICE_ID_MAX_BYTES, "harvest"),
        ],
        ..change(
            notice::NEWS_ID,
            "Post news",
            "Puts an article on the news board for the length of the event.",
            "post news: {title}",
        )
    }
}
