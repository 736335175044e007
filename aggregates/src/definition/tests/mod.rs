mod aggregate;
mod draft;
mod publish;
mod spec;
mod whole;

use leasehold_module::Manifest;
use serde_json::{Value, json};

use super::{Draft, Facts};
use crate::account::Role;
use crate::body::Rejected;

/// A registry with one action of each kind that matters here.
fn facts() -> Facts {
    let core = json!({
        "id": "core", "label": "Core", "version": 1,
        "actions": [
            {"id": "core.announce", "label": "Announce", "description": "Says it", "summary": "Say {text}", "risk": "notify",
             "reversible": "none", "promise": "at_most_once", "version": 1, "budgetMs": 1000,
             "params": [{"name": "text", "type": "string", "required": true, "example": "Hello", "maxLength": 40}]},
            {"id": "core.lease", "label": "Borrow a value", "description": "Borrows", "summary": "Borrow {lease}",
             "risk": "change", "reversible": "override", "promise": "effect_once", "version": 1, "budgetMs": 1000,
             "params": [{"name": "lease", "type": "string", "required": true, "example": "demo.rate.gather"},
                        {"name": "value", "type": "string", "required": true, "example": "2", "anyScalar": true},
                        {"name": "minutes", "type": "int", "required": true, "example": 60}]}]
    });
    let demo = json!({
        "id": "demo", "label": "Demo", "version": 1,
        "budgets": [{"id": "demo.lamps", "label": "Lamps", "unit": "count"}],
        "triggers": [{"id": "demo.lamp.broken", "label": "A lamp broke", "awaiting": "a lamp to break",
                      "fields": [{"name": "region", "type": "string", "example": "North"}]}],
        "leases": [{"id": "demo.rate.gather", "label": "Gather rate", "type": "float", "min": "0.5", "max": "5",
                    "maxDurationMs": 86_400_000, "reaches": "everyone", "budgetMs": 1000},
                   {"id": "demo.lamp.rate", "label": "Rate of one lamp", "type": "float", "min": "0.5", "max": "5",
                    "maxDurationMs": 86_400_000, "reaches": "everyone", "budgetMs": 1000,
                    "object": {"label": "the lamp", "example": "quay-7"}}],
        "actions": [
            {"id": "demo.lamp.light", "label": "Light lamps", "description": "Lights", "summary": "Light {count}",
             "risk": "change", "reversible": "ledger", "promise": "effect_once", "version": 2, "budgetMs": 1000,
             "cost": [{"dimension": "demo.lamps", "factors": [{"param": "count"}]}],
             "params": [{"name": "count", "type": "int", "required": true, "example": 12, "min": "1", "max": "30"},
                        {"name": "bright", "type": "bool", "required": false, "example": true}]}]
    });
    let manifests: Vec<Manifest> = [core, demo].into_iter().map(|m| serde_json::from_value(m).unwrap()).collect();
    assert!(manifests.iter().all(|manifest| manifest.faults().is_empty()));
    Facts::of(&manifests)
}

fn body() -> Value {
    json!({
        "title": "Harvest Party", "slug": "harvest-party", "summary": "In the orchard", "storyline": "Once\nupon a time",
        "image": "https://example.org/a.png", "venue": {"label": "The orchard", "value": "orchard"}, "category": "gathering",
        "seriesId": null, "seriesOrder": null, "ownerModule": "demo", "timezone": "Europe/Berlin", "graceSeconds": 900,
        "concurrencyKey": "harvest:{region}",
        "spec": {
            "schedule": {"kind": "once", "at": "2027-03-28T20:00"},
            "params": [{"name": "region", "type": "string", "required": true, "default": "North", "example": "North"},
                       {"name": "lamps", "type": "int", "required": false, "default": 3}],
            "phases": [
                {"key": "gather", "label": "Gathering",
                 "steps": [{"key": "hail", "action": "core.announce", "params": {"text": "It begins in {region}"}},
                           {"key": "rate", "action": "core.lease",
                            "params": {"lease": "demo.rate.gather", "value": 2, "minutes": 60}}],
                 "advance": {"after": "120m"}},
                {"key": "lights", "label": "Lights",
                 "steps": [{"key": "light", "action": "demo.lamp.light", "onFailure": "pause",
                            "params": {"count": {"param": "lamps"}}}]}]
        }
    })
}

/// The body with one place replaced, or removed where there is no value.
fn with(pointer: &str, value: impl Into<Option<Value>>) -> Value {
    let mut body = body();
    let (place, last) = pointer.rsplit_once('/').unwrap();
    let parent = body.pointer_mut(place).unwrap();
    match (value.into(), parent) {
        (Some(value), Value::Object(fields)) => drop(fields.insert(last.to_owned(), value)),
        (None, Value::Object(fields)) => drop(fields.remove(last).unwrap()),
        (Some(value), items) => items[last.parse::<usize>().unwrap()] = value,
        (None, _) => unreachable!("lists are replaced, not removed from"),
    }
    body
}

fn read(body: &Value) -> Result<Draft, Rejected> {
    Draft::read(body, &facts(), Role::Admin, None)
}

/// Pointers and codes of what is wrong.
fn wrong(body: &Value) -> Vec<(String, &'static str)> {
    told(&read(body).expect_err("the body was taken"))
}

fn told(rejected: &Rejected) -> Vec<(String, &'static str)> {
    rejected.faults().iter().map(|fault| (fault.pointer.clone(), fault.code)).collect()
}

/// One place is wrong, and the one fault names it.
fn assert_wrong(pointer: &str, value: impl Into<Option<Value>>, code: &'static str) {
    let value = value.into();
    assert_eq!(wrong(&with(pointer, value.clone())), [(pointer.to_owned(), code)], "{pointer} as {value:?}");
}
