//! What `uo` declares.

pub mod lends;
mod verbs;

use leasehold_link::wire::limits::{BROADCAST_MAX_CHARS, HUE_MAX, NAME_MAX_CHARS};
use leasehold_module::{
    Action, Audience, Budget, CostTerm, Factor, Manifest, OptionSource, Param, ParamType, Promise, Reversible, Risk,
};
use serde_json::{Value, json};

use crate::{UoSettings, atlas, atlas::Atlas, broadcast, feed, spawn};

/// The budget that spawns draw on.
const CREATURES: &str = "uo.creatures";

pub fn manifest(settings: UoSettings, atlas: &Atlas) -> Manifest {
    let budget_ms = settings.budget_ms();
    let creatures = Budget { id: CREATURES.into(), label: "Creatures spawned".into(), unit: "count".into() };
    Manifest {
        id: "uo".into(),
        label: "Ultima Online".into(),
        version: 4,
        actions: [vec![broadcast_action(budget_ms), spawn_action(budget_ms)], verbs::actions(budget_ms)].concat(),
        budgets: [vec![creatures], verbs::budgets()].concat(),
        leases: lends::leases(atlas, budget_ms),
        option_sources: vec![
            OptionSource { id: atlas::LANDMARKS.into(), label: "Landmarks".into(), searchable: true },
            OptionSource { id: atlas::CREATURES.into(), label: "Creatures".into(), searchable: true },
            OptionSource { id: atlas::DECORATIONS.into(), label: "Decoration".into(), searchable: true },
            OptionSource { id: atlas::GIFTS.into(), label: "Gifts".into(), searchable: true },
        ],
        triggers: feed::triggers(),
    }
}

fn broadcast_action(budget_ms: u64) -> Action {
    let longest = u32::try_from(BROADCAST_MAX_CHARS).unwrap_or(u32::MAX);
    Action {
        id: broadcast::ID.into(),
        label: "Broadcast".into(),
        description: "Says one line to everybody online.".into(),
        summary: "tell everybody online: {text}".into(),
        risk: Risk::Notify,
        reversible: Reversible::None,
        promise: Promise::EffectOnce,
        version: 1,
        budget_ms,
        cost: Vec::new(),
        params: vec![
            Param {
                required: true,
                max_length: Some(longest),
                ..param("text", ParamType::String, json!("The harvest begins in Yew"))
            },
            hue(),
        ],
        tells: Some(Audience::Everyone),
    }
}

fn spawn_action(budget_ms: u64) -> Action {
    Action {
        id: spawn::ID.into(),
        label: "Spawn creatures".into(),
        description: "Places creatures at a landmark for the length of the event, and takes them away after it.".into(),
        summary: "spawn {count} {creature} at {location}".into(),
        risk: Risk::Change,
        reversible: Reversible::Ledger,
        promise: Promise::EffectOnce,
        version: 1,
        budget_ms,
        cost: vec![CostTerm { dimension: CREATURES.into(), factors: vec![Factor::Param("count".into())], when: None }],
        params: spawn_params(12),
        tells: None,
    }
}

/// Where, what, how many, and how they look.
fn spawn_params(count: u32) -> Vec<Param> {
    let longest = u32::try_from(NAME_MAX_CHARS).unwrap_or(u32::MAX);
    vec![
        Param {
            required: true,
            source: Some(atlas::LANDMARKS.into()),
            ..param("location", ParamType::String, json!("yew-orchard"))
        },
        Param { required: true, source: Some(atlas::CREATURES.into()), ..param("creature", ParamType::String, json!("orc")) },
        Param { required: true, min: Some("1".into()), ..param("count", ParamType::Int, json!(count)) },
        Param { max_length: Some(longest), ..param("name", ParamType::String, json!("an orchard raider")) },
        hue(),
    ]
}

fn hue() -> Param {
    let greatest = HUE_MAX.to_string();
    Param { min: Some("0".into()), max: Some(greatest), ..param("hue", ParamType::Int, json!(1157)) }
}

fn param(name: &str, value_type: ParamType, example: Value) -> Param {
    Param {
        name: name.into(),
        value_type,
        required: false,
        example,
        source: None,
        min: None,
        max: None,
        max_length: None,
        any_scalar: false,
    }
}
