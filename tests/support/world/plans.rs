//! What the events of these tests are made of.

use serde_json::{Value, json};

/// The lease of the tests: the skill cap of new characters at 1200, for an hour.
pub fn skill() -> Value {
    skill_for(60)
}

/// The same for that many minutes.
pub fn skill_for(minutes: u32) -> Value {
    json!({"key": "skill", "action": "core.lease", "params": {"lease": "uo.config.skillcap", "value": "1200", "minutes": minutes}})
}

/// Twelve orcs at the orchard.
pub fn raid() -> Value {
    orcs("raid", 12)
}

/// So many orcs at the orchard.
pub fn orcs(key: &str, count: u32) -> Value {
    let params = json!({"location": "yew-orchard", "creature": "orc", "count": count});
    json!({"key": key, "action": "uo.creature.spawn", "params": params})
}

/// A word in the run's log.
pub fn hail() -> Value {
    json!({"key": "hail", "action": "core.announce", "params": {"leg": "log", "text": "The harvest begins in {region}"}})
}

/// A word to everybody online.
pub fn shout() -> Value {
    json!({"key": "shout", "action": "uo.broadcast", "params": {"text": "The harvest begins in {region}"}})
}

/// A wait of that span, such as `30m`.
pub fn wait(span: &str) -> Value {
    json!({"key": "wait", "action": "core.wait", "params": {"for": span}})
}

/// Something that a person has to do.
pub fn cue() -> Value {
    json!({"key": "cue", "action": "core.cue", "params": {"instruction": "Open the gate of {region} by hand"}})
}

/// A phase that ends that span after it was entered.
pub fn phase(key: &str, steps: &[Value], after: &str) -> Value {
    json!({"key": key, "label": key, "steps": steps, "advance": {"after": after}})
}

/// A definition of those phases, started by hand.
pub fn event(slug: &str, phases: &[Value]) -> Value {
    json!({
        "title": "Harvest Party", "slug": slug, "summary": "Twelve orcs in an orchard", "storyline": "They want the apples.",
        "venue": {"label": "Yew orchard", "value": "yew-orchard"}, "category": "gathering", "ownerModule": "uo",
        "timezone": "Europe/Berlin", "graceSeconds": 900,
        "spec": {
            "schedule": {"kind": "manual"},
            "params": [{"name": "region", "type": "string", "required": true, "default": "Yew", "example": "Yew"}],
            "phases": phases
        }
    })
}

/// The event of the walkthroughs: a value is borrowed for a phase of half an hour, orcs raid for twenty minutes more.
pub fn harvest(slug: &str) -> Value {
    event(slug, &[phase("gather", &[hail(), skill()], "30m"), phase("boss", &[raid()], "20m")])
}

/// The same definition, starting once by the clock on a wall in Berlin.
pub fn once(mut definition: Value, at: &str) -> Value {
    definition["spec"]["schedule"] = json!({"kind": "once", "at": at});
    definition
}

/// The same definition, excluding all others of that concurrency key.
pub fn alone(mut definition: Value, key: &str) -> Value {
    definition["concurrencyKey"] = json!(key);
    definition
}
