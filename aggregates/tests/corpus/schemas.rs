//! The schemas under `docs/events/`, made from the types, and the examples that must fit them.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::aggregate::{Aggregate, aggregates};
use crate::widening::hindrance;
use crate::{blessing, read, write};

/// The schema of one event in its newest version, with the definitions that it needs and no other.
fn schema(aggregate: &Aggregate, event_type: &str, version: u32) -> Value {
    let choices = aggregate.schema["oneOf"].as_array().unwrap();
    let own = choices.iter().find(|choice| choice["properties"]["type"]["const"] == event_type);
    let mut own = own.unwrap_or_else(|| panic!("{event_type} has no schema")).clone();
    let needed = definitions(&own, &aggregate.schema);
    own["$schema"] = aggregate.schema["$schema"].clone();
    own["title"] = format!("{} {event_type}, version {version}", aggregate.name).into();
    if !needed.is_empty() {
        let defined = needed.iter().map(|name| (name.clone(), aggregate.schema["$defs"][name].clone()));
        own["$defs"] = Value::Object(defined.collect::<Map<_, _>>());
    }
    own
}

/// The names of everything that `schema` refers to, directly or not.
fn definitions(schema: &Value, all: &Value) -> BTreeSet<String> {
    let mut needed = BTreeSet::new();
    let mut ahead = references(schema);
    while let Some(name) = ahead.pop() {
        if needed.insert(name.clone()) {
            ahead.extend(references(&all["$defs"][&name]));
        }
    }
    needed
}

fn references(value: &Value) -> Vec<String> {
    match value {
        Value::Object(fields) => {
            let own = fields.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix("#/$defs/"));
            own.map(str::to_owned).into_iter().chain(fields.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn schemas_are_those_of_the_types() {
    for aggregate in aggregates() {
        for (event_type, newest) in aggregate.types {
            let path = aggregate.published(event_type, *newest);
            let made = schema(&aggregate, event_type, *newest);
            if path.exists() {
                let hindered = hindrance(&read(&path), &made);
                let (name, next) = (aggregate.name, newest + 1);
                let advice = format!(
                    "{name} {event_type} version {newest} is published, and its shape is another now. Leave version {newest} as it \
                     is: raise the event to version {next} in stored_events!, upcast version {newest} to it, and keep both files of \
                     version {newest}. BLESS=1 does not write over a shape. (Never released? Then delete {} and its example, and bless.)",
                    path.display()
                );
                assert_eq!(hindered, None, "{advice}");
            }
            if blessing() {
                write(&path, &made);
            }
            assert_eq!(read(&path), made, "{} is out of date; BLESS=1 writes it", path.display());
        }
    }
}

#[test]
fn every_example_fits_its_schema_and_says_nothing_beside_it() {
    for aggregate in aggregates() {
        for (event_type, version) in aggregate.versions() {
            let path = aggregate.published(event_type, version);
            let validator = jsonschema::options().should_validate_formats(true).build(&read(&path)).unwrap();
            let mut example = read(&aggregate.example(event_type, version));
            if let Err(fault) = validator.validate(&example) {
                panic!("the example of {event_type} version {version} does not fit {}: {fault}", path.display());
            }
            example["odd"] = 1.into();
            assert!(!validator.is_valid(&example), "{} takes a field that nobody declared", path.display());
        }
    }
}
