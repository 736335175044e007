//! What `core` declares.

use leasehold_aggregates::run::PUBLISH_ACTION;
use leasehold_module::{Action, Audience, Manifest, OptionSource, Param, ParamType, Promise, Reversible, Risk};
use serde_json::{Value, json};

use super::{CORE, announce, cue, lease, wait};

/// Milliseconds for actions that talk to nothing.
const BUDGET_MS: u64 = 5_000;

pub fn manifest() -> Manifest {
    Manifest {
        id: CORE.into(),
        label: "Leasehold".into(),
        version: 1,
        actions: vec![announce(), wait(), cue(), lease(), publish()],
        option_sources: vec![
            source(announce::LEGS, "Where an announcement goes", false),
            source(lease::LEASES, "Values that can be borrowed", true),
        ],
        ..Manifest::default()
    }
}

fn announce() -> Action {
    Action {
        tells: Some(Audience::Staff),
        params: vec![
            Param { source: Some(announce::LEGS.into()), ..param("leg", ParamType::String, json!("log")) },
            Param { max_length: Some(2_000), ..param("text", ParamType::String, json!("The harvest begins")) },
        ],
        ..action(
            announce::ID,
            Risk::Notify,
            "Announce",
            "Says something on one leg; on the leg log, in the log of the run.",
            "announce on {leg}: {text}",
        )
    }
}

fn wait() -> Action {
    Action {
        params: vec![Param { min: Some("1s".into()), max: Some("7d".into()), ..param("for", ParamType::Duration, json!("30m")) }],
        ..action(wait::ID, Risk::Inspect, "Wait", "Holds what follows for a while, at most seven days.", "wait for {for}")
    }
}

fn cue() -> Action {
    Action {
        tells: Some(Audience::Staff),
        params: vec![Param {
            max_length: Some(2_000),
            ..param("instruction", ParamType::String, json!("Open the gate by hand, then confirm"))
        }],
        ..action(
            cue::ID,
            Risk::Notify,
            "Cue a person",
            "Asks a person to do something and goes on once somebody confirms it.",
            "ask a person: {instruction}",
        )
    }
}

fn lease() -> Action {
    Action {
        reversible: Reversible::Override,
        params: vec![
            Param { source: Some(lease::LEASES.into()), ..param("lease", ParamType::String, json!("demo.rate.gather")) },
            Param { any_scalar: true, max_length: Some(200), ..param("value", ParamType::String, json!("2")) },
            Param {
                min: Some("1".into()),
                // A year; each lease says how much less than that it allows.
                max: Some("525600".into()),
                ..param("minutes", ParamType::Int, json!(60))
            },
        ],
        ..action(
            lease::ID,
            Risk::Change,
            "Borrow a value",
            "Sets a value for a number of minutes and puts the old one back afterwards.",
            "hold {lease} at {value} for {minutes} minutes",
        )
    }
}

fn publish() -> Action {
    action(
        PUBLISH_ACTION,
        Risk::Inspect,
        "Publish the result",
        "Puts everybody of whom steps have told so far into one order, the highest score first, and publishes it.",
        "publish the result",
    )
}

fn action(id: &str, risk: Risk, label: &str, description: &str, summary: &str) -> Action {
    Action {
        id: id.into(),
        label: label.into(),
        description: description.into(),
        summary: summary.into(),
        risk,
        reversible: Reversible::None,
        promise: Promise::EffectOnce,
        version: 1,
        budget_ms: BUDGET_MS,
        cost: Vec::new(),
        params: Vec::new(),
        tells: None,
    }
}

fn param(name: &str, value_type: ParamType, example: Value) -> Param {
    Param {
        name: name.into(),
        value_type,
        required: true,
        example,
        source: None,
        min: None,
        max: None,
        max_length: None,
        any_scalar: false,
    }
}

fn source(id: &str, label: &str, searchable: bool) -> OptionSource {
    OptionSource { id: id.into(), label: label.into(), searchable }
}
