//! Reading `/spec`: lists and keys, their limits, and that nothing is named twice.

use std::collections::BTreeSet;

use leasehold_module::{ParamType, parse_duration, spell_duration};
use serde_json::Value;

use crate::body::{Faults, Object, Text};
use crate::condition::Condition;
use crate::plan::{
    Advance, MAX_PARAMS, MAX_PHASES, MAX_SIGNALS, MAX_STEPS, OnFailure, ParamDecl, Phase, Plan, Step, TimeOut, is_name,
};
use crate::run::LONGEST_HOLD_SECONDS;
use crate::schedule::Schedule;

/// Longest that a phase may wait: 30 days.
const LONGEST_WAIT: u64 = 30 * 86_400;

/// Reads the spec; what is faulty is told and stands in as little as possible.
pub(super) fn read(spec: Option<&Value>, faults: &Faults) -> Plan {
    let Some(spec) = spec else { return empty() };
    let object = Object::of(spec, "/spec", faults);
    let schedule = object.required("schedule");
    let plan = Plan {
        schedule: schedule.map_or(Schedule::Manual {}, |value| Schedule::read(value, "/spec/schedule", faults)),
        params: object.list("params", 0..=MAX_PARAMS).into_iter().map(|(at, item)| param(item, &at, faults)).collect(),
        phases: object.list("phases", 0..=MAX_PHASES).into_iter().map(|(at, item)| phase(item, &at, faults)).collect(),
    };
    object.finish();
    no_name_twice(&plan, faults);
    plan
}

fn empty() -> Plan {
    Plan { schedule: Schedule::Manual {}, params: Vec::new(), phases: Vec::new() }
}

fn param(value: &Value, at: &str, faults: &Faults) -> ParamDecl {
    let object = Object::of(value, at, faults);
    let decl = ParamDecl {
        name: object.text("name", Text::line(1, 64)),
        value_type: object.required("type").and_then(|value| param_type(&object, value)).unwrap_or(ParamType::String),
        required: object.flag_or("required", false),
        default: object.nullable("default").cloned(),
        example: object.nullable("example").cloned(),
    };
    if !decl.name.is_empty() && !is_name(&decl.name) {
        object.fault("name", "wrong_characters", "a name starts with a letter and may hold a-z, A-Z, 0-9 and _");
    }
    object.finish();
    decl
}

fn param_type(object: &Object<'_>, value: &Value) -> Option<ParamType> {
    let read = serde_json::from_value(value.clone()).ok();
    if read.is_none() {
        let code = if value.is_string() { "not_a_choice" } else { "wrong_type" };
        object.fault("type", code, "type must be one of string, int, float, bool, instant, duration");
    }
    read
}

fn phase(value: &Value, at: &str, faults: &Faults) -> Phase {
    let object = Object::of(value, at, faults);
    let steps = object.list("steps", 0..=MAX_STEPS);
    let phase = Phase {
        key: object.text("key", Text::key()),
        label: object.text("label", Text::line(1, 120)),
        steps: steps.into_iter().map(|(at, item)| step(item, &at, faults)).collect(),
        advance: object.nullable("advance").and_then(|value| advance(value, &object.at("advance"), faults)),
    };
    object.finish();
    phase
}

fn step(value: &Value, at: &str, faults: &Faults) -> Step {
    let object = Object::of(value, at, faults);
    let version = object.int_or("actionVersion", 1..=i64::from(u32::MAX), 0);
    let step = Step {
        key: object.text("key", Text::key()),
        action: object.text("action", Text::line(1, 128)),
        action_version: u32::try_from(version).unwrap_or_default(),
        params: object.map("params"),
        on_failure: object.nullable_choice("onFailure"),
        hold_for: object.nullable("holdFor").and_then(|_| span(&object, "holdFor", LONGEST_HOLD_SECONDS)),
        awaits: object.nullable_choice("await"),
    };
    object.finish();
    step
}

fn advance(value: &Value, at: &str, faults: &Faults) -> Option<Advance> {
    let object = Object::of(value, at, faults);
    let advance = if value.get("on").is_some() {
        Some(on_signals(&object))
    } else {
        span(&object, "after", LONGEST_WAIT).map(|after| Advance::After { after })
    };
    object.finish();
    advance
}

/// A gate that signals open. An author who says no number means one.
fn on_signals(object: &Object<'_>) -> Advance {
    let condition = object.nullable("where").and_then(|value| Condition::read(value, &object.at("where"), object.faults()));
    let timeout = object.nullable("timeout").map(|value| {
        let object = Object::of(value, object.at("timeout"), object.faults());
        let (after, then) =
            (span(&object, "after", LONGEST_WAIT).unwrap_or(1), object.choice("then").unwrap_or(OnFailure::Pause));
        object.finish();
        TimeOut { after, then }
    });
    Advance::On {
        on: object.text("on", Text::line(1, 128)),
        condition: condition.map(|condition| condition.to_stored()),
        count: u32::try_from(object.int_or("count", 1..=i64::from(MAX_SIGNALS), 1)).unwrap_or(1),
        timeout,
    }
}

/// A span of at most so many seconds, which stands there as text.
fn span(object: &Object<'_>, name: &'static str, longest: u64) -> Option<u64> {
    let text = object.text(name, Text::line(0, 32));
    let seconds = parse_duration(&text);
    let is_text = object.optional(name).is_some_and(Value::is_string);
    match seconds {
        None if is_text => {
            object.fault(name, "wrong_value", format!("{text:?} is no span such as 30m: one number and one of s m h d"));
        }
        Some(seconds) if seconds > longest => {
            object.fault(name, "out_of_range", format!("{name} must be 1s to {}, not {text}", spell_duration(longest)));
        }
        _ => {}
    }
    seconds
}

fn no_name_twice(plan: &Plan, faults: &Faults) {
    let params = plan.params.iter().enumerate().map(|(i, p)| (format!("/spec/params/{i}/name"), p.name.as_str()));
    unique(params, "parameter", faults);
    let phases = plan.phases.iter().enumerate().map(|(i, p)| (format!("/spec/phases/{i}/key"), p.key.as_str()));
    unique(phases, "phase", faults);
    let steps = plan.phases.iter().enumerate().flat_map(|(p, phase)| {
        let key = move |(s, step): (usize, &'_ Step)| (format!("/spec/phases/{p}/steps/{s}/key"), step.key.clone());
        phase.steps.iter().enumerate().map(key).collect::<Vec<_>>()
    });
    let steps: Vec<(String, String)> = steps.collect();
    unique(steps.iter().map(|(at, key)| (at.clone(), key.as_str())), "step", faults);
    if steps.len() > MAX_STEPS {
        let detail = format!("a plan has at most {MAX_STEPS} steps, all phases together, not {}", steps.len());
        faults.add("/spec/phases", "wrong_length", detail);
    }
}

fn unique<'a>(names: impl Iterator<Item = (String, &'a str)>, what: &str, faults: &Faults) {
    let mut seen = BTreeSet::new();
    for (at, name) in names.filter(|(_, name)| !name.is_empty()) {
        if !seen.insert(name) {
            faults.add(at, "not_unique", format!("another {what} is called {name} already"));
        }
    }
}
