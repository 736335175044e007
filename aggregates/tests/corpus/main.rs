//! The corpus: a recorded example of every event and version ever written, under `tests/corpus/` at the root of the
//! workspace. Each loads for ever. `BLESS=1` writes the examples that are missing and touches no other: an example that
//! does not fit any more wants a new version of its event and an upcast, or its deletion if it was never released.
#![allow(clippy::unwrap_used, reason = "a test says by panicking that it failed")]

mod run;
mod samples;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use leasehold_aggregates::account::Account;
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::Definition;
use leasehold_aggregates::event::{StoredEvent, decode};
use leasehold_aggregates::ledger::Entry;
use leasehold_aggregates::reservation::{Slot, Slug};
use leasehold_aggregates::run::Run;
use leasehold_aggregates::switchboard::Switchboard;
use serde_json::Value;

/// Every aggregate there is, with an example of each of its events.
fn aggregates() -> Vec<Aggregate> {
    vec![
        Aggregate::of::<Account>(&samples::account()),
        Aggregate::of::<Definition>(&samples::definition()),
        Aggregate::of::<Entry>(&samples::ledger()),
        Aggregate::of::<Run>(&run::samples()),
        Aggregate::of::<Slot>(&samples::slot()),
        Aggregate::of::<Slug>(&samples::slug()),
        Aggregate::of::<Switchboard>(&samples::switchboard()),
    ]
}

struct Aggregate {
    name: &'static str,
    event: &'static str,
    types: &'static [(&'static str, u32)],
    /// Event type, version and payload of each example in code.
    samples: Vec<(String, String, Value)>,
    /// Decodes a payload and encodes it again.
    again: fn(&str, u32, Value) -> Result<Value, String>,
}

impl Aggregate {
    fn of<A: Decide>(samples: &[A::Event]) -> Self {
        let encoded = samples.iter().map(|event| {
            let payload = serde_json::to_value(event).unwrap();
            (cqrs_es::DomainEvent::event_type(event), cqrs_es::DomainEvent::event_version(event), payload)
        });
        let event = std::any::type_name::<A::Event>();
        Self {
            name: A::TYPE,
            event: event.rsplit("::").next().unwrap(),
            types: A::Event::TYPES,
            samples: encoded.collect(),
            again: again::<A::Event>,
        }
    }

    fn file(&self, event_type: &str, version: u32) -> PathBuf {
        corpus().join(self.name).join(format!("{event_type}.v{version}.json"))
    }
}

fn again<E: StoredEvent>(event_type: &str, version: u32, payload: Value) -> Result<Value, String> {
    let event: E = decode(event_type, &version.to_string(), payload).map_err(|fault| format!("{fault:?}"))?;
    serde_json::to_value(event).map_err(|error| error.to_string())
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus")
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}; BLESS=1 writes it", path.display()));
    serde_json::from_str(&text).unwrap()
}

fn bless(aggregate: &Aggregate) {
    for (event_type, version, payload) in &aggregate.samples {
        let path = aggregate.file(event_type, version.parse().unwrap());
        if !path.exists() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("{}\n", serde_json::to_string_pretty(payload).unwrap())).unwrap();
        }
    }
}

#[test]
fn every_event_ever_written_loads() {
    for aggregate in aggregates() {
        if std::env::var_os("BLESS").is_some() {
            bless(&aggregate);
        }
        for (event_type, newest) in aggregate.types {
            for version in 1..=*newest {
                let path = aggregate.file(event_type, version);
                let recorded = read(&path);
                let again = (aggregate.again)(event_type, version, recorded.clone());
                let again = again.unwrap_or_else(|fault| panic!("{} does not load: {fault}", path.display()));
                if version == *newest {
                    assert_eq!(again, recorded, "{} is written differently now", path.display());
                }
            }
        }
    }
}

#[test]
fn names_and_versions_are_those_that_are_written() {
    for aggregate in aggregates() {
        let declared: BTreeMap<&str, u32> = aggregate.types.iter().copied().collect();
        assert_eq!(declared.len(), aggregate.types.len(), "{} names an event twice", aggregate.name);
        let mut seen = BTreeSet::new();
        for (event_type, version, payload) in &aggregate.samples {
            assert_eq!(payload["type"], event_type.as_str(), "{}", aggregate.name);
            assert_eq!(declared.get(event_type.as_str()).map(u32::to_string).as_ref(), Some(version), "{event_type}");
            seen.insert(event_type.as_str());
        }
        assert_eq!(seen, declared.keys().copied().collect(), "{}: an example of each event, in code", aggregate.name);
    }
}

#[test]
fn nothing_unknown_lies_in_the_corpus() {
    let mut expected = BTreeSet::new();
    for aggregate in aggregates() {
        for (event_type, newest) in aggregate.types {
            expected.extend((1..=*newest).map(|version| aggregate.file(event_type, version)));
        }
    }
    let folders = fs::read_dir(corpus()).unwrap().map(|entry| entry.unwrap().path());
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let unknown: Vec<PathBuf> = files.filter(|file| !expected.contains(file)).collect();
    assert_eq!(unknown, Vec::<PathBuf>::new(), "an event that was ever written keeps its name and example");
}

#[test]
fn a_field_more_and_a_version_more_are_refused() {
    for aggregate in aggregates() {
        for (event_type, version, payload) in &aggregate.samples {
            let newest: u32 = version.parse().unwrap();
            let mut more = payload.clone();
            more["odd"] = Value::from(1);
            assert!((aggregate.again)(event_type, newest, more).is_err(), "{event_type} takes an unknown field");
            assert!((aggregate.again)(event_type, newest + 1, payload.clone()).is_err(), "{event_type} takes a newer version");
        }
    }
}

#[test]
fn no_aggregate_is_left_out() {
    let listed: BTreeSet<String> = aggregates().iter().map(|aggregate| aggregate.event.to_owned()).collect();
    let mut written = BTreeSet::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let names = text.lines().filter_map(|line| line.strip_prefix("crate::stored_events!("));
            written.extend(names.filter_map(|rest| rest.split_whitespace().next()).map(str::to_owned));
        }
    }
    assert_eq!(listed, written, "every aggregate belongs into `aggregates()` of this test");
}
