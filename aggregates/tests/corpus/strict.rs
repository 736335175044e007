//! Nothing is guessed: a field more, a field less and a version more are refused, however deep they lie.

use serde_json::{Map, Value, json};

use crate::aggregate::aggregates;
use crate::read;

/// Every object inside `value`, by JSON pointer; `value` itself first.
fn objects(value: &Value, at: &str) -> Vec<String> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (format!("{at}/{name}"), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(nth, item)| (format!("{at}/{nth}"), item)).collect(),
        _ => Vec::new(),
    };
    let own = value.is_object().then(|| at.to_owned());
    own.into_iter().chain(inner.into_iter().flat_map(|(at, value)| objects(value, &at))).collect()
}

/// What the author or a module filled in: any field may be there.
fn is_free(pointer: &str) -> bool {
    let free =
        ["params", "cost", "draws", "caps", "default", "example", "where", "condition", "types", "vars", "manifest", "meta"];
    pointer.split('/').any(|part| free.contains(&part)) && !pointer.ends_with("/params/0")
}

/// What may be left out, and then means what its type says.
const MAY_BE_ABSENT: [&str; 13] = [
    "default",
    "example",
    "advance",
    "onFailure",
    "holdFor",
    "await",
    "where",
    "every",
    "until",
    "except",
    "timeout",
    "gate",
    "hops",
];

fn with_fields(payload: &Value, pointer: &str, change: impl FnOnce(&mut Map<String, Value>)) -> Value {
    let mut changed = payload.clone();
    change(changed.pointer_mut(pointer).unwrap().as_object_mut().unwrap());
    changed
}

#[test]
fn a_field_more_is_refused_wherever_it_is() {
    let mut tried = 0;
    for aggregate in aggregates() {
        for (event_type, version) in aggregate.versions() {
            let payload = read(&aggregate.example(event_type, version));
            for pointer in objects(&payload, "").into_iter().filter(|pointer| !is_free(pointer)) {
                let more = with_fields(&payload, &pointer, |fields| drop(fields.insert("odd".into(), json!(null))));
                let taken = (aggregate.again)(event_type, version, more);
                assert!(taken.is_err(), "{event_type} v{version} takes an unknown field at {pointer:?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 60, "only {tried} objects were tried");
}

#[test]
fn a_field_less_is_refused_and_never_filled_in() {
    let mut tried = 0;
    for aggregate in aggregates() {
        for (event_type, version) in aggregate.versions() {
            let payload = read(&aggregate.example(event_type, version));
            for pointer in objects(&payload, "").into_iter().filter(|pointer| !is_free(pointer)) {
                let names: Vec<String> = payload.pointer(&pointer).unwrap().as_object().unwrap().keys().cloned().collect();
                for name in names.iter().filter(|name| !MAY_BE_ABSENT.contains(&name.as_str())) {
                    let less = with_fields(&payload, &pointer, |fields| drop(fields.remove(name)));
                    let taken = (aggregate.again)(event_type, version, less);
                    assert!(taken.is_err(), "{event_type} v{version} does without {pointer}/{name}");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 200, "only {tried} fields were tried");
}

#[test]
fn a_version_more_and_a_spelling_of_it_are_refused() {
    for aggregate in aggregates() {
        for sample in &aggregate.samples {
            let newer = (aggregate.again)(&sample.event_type, sample.version + 1, sample.payload.clone());
            assert!(newer.unwrap_err().contains("UnknownVersion"), "{} takes a newer version", sample.event_type);
            assert!((aggregate.again)(&sample.event_type, 0, sample.payload.clone()).is_err());
            let unknown = (aggregate.again)("sung", sample.version, sample.payload.clone());
            assert!(unknown.unwrap_err().contains("UnknownType"), "{} takes an unknown type", aggregate.name);
        }
    }
}

#[test]
fn the_name_inside_is_the_name_outside() {
    for aggregate in aggregates() {
        for (mine, other) in aggregate.samples.iter().zip(aggregate.samples.iter().skip(1)) {
            if mine.event_type != other.event_type {
                let mixed = (aggregate.again)(&mine.event_type, mine.version, other.payload.clone());
                assert!(mixed.is_err(), "{} is taken from a row that says {}", other.event_type, mine.event_type);
            }
        }
    }
}
