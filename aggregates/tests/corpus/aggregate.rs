//! Every aggregate there is, with an example of each of its events and what its types say of their shape.

use std::path::{Path, PathBuf};

use leasehold_aggregates::account::Account;
use leasehold_aggregates::allowance::Allowance;
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::Definition;
use leasehold_aggregates::deployment::Deployment;
use leasehold_aggregates::event::{StoredEvent, decode};
use leasehold_aggregates::genesis;
use leasehold_aggregates::ledger::Entry;
use leasehold_aggregates::module::Module;
use leasehold_aggregates::reservation::{Slot, Slug};
use leasehold_aggregates::run::Run;
use leasehold_aggregates::series::Series;
use leasehold_aggregates::signal::Signal;
use leasehold_aggregates::switchboard::Switchboard;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::{run, samples};

pub fn aggregates() -> Vec<Aggregate> {
    vec![
        Aggregate::of(Account::TYPE, &samples::account()),
        Aggregate::of(Definition::TYPE, &samples::definition()),
        Aggregate::of(Allowance::TYPE, &samples::allowance()),
        Aggregate::of(Deployment::TYPE, &samples::deployment()),
        Aggregate::of(Entry::TYPE, &samples::ledger()),
        Aggregate::of(Module::TYPE, &samples::module()),
        Aggregate::of(Run::TYPE, &run::samples()),
        Aggregate::of(Series::TYPE, &samples::series()),
        Aggregate::of(Signal::TYPE, &samples::signal()),
        Aggregate::of(Slot::TYPE, &samples::slot()),
        Aggregate::of(Slug::TYPE, &samples::slug()),
        Aggregate::of(Switchboard::TYPE, &samples::switchboard()),
        Aggregate::of(genesis::TYPE, &samples::genesis()),
    ]
}

pub struct Aggregate {
    pub name: &'static str,
    /// The events' type in code.
    pub event: &'static str,
    pub types: &'static [(&'static str, u32)],
    pub samples: Vec<Sample>,
    /// The schema of all its events in their newest versions.
    pub schema: Value,
    /// Decodes a payload and encodes it again.
    pub again: fn(&str, u32, Value) -> Result<Value, String>,
}

/// One event of the newest version, in code.
pub struct Sample {
    pub event_type: String,
    pub version: u32,
    pub payload: Value,
}

impl Aggregate {
    fn of<E: StoredEvent + JsonSchema>(name: &'static str, samples: &[E]) -> Self {
        let sample = |event: &E| Sample {
            event_type: event.event_type(),
            version: event.event_version().parse().unwrap(),
            payload: serde_json::to_value(event).unwrap(),
        };
        let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        Self {
            name,
            event: std::any::type_name::<E>().rsplit("::").next().unwrap(),
            types: E::TYPES,
            samples: samples.iter().map(sample).collect(),
            schema: generator.into_root_schema_for::<E>().to_value(),
            again: again::<E>,
        }
    }

    /// Every event type with every version that it ever had.
    pub fn versions(&self) -> impl Iterator<Item = (&'static str, u32)> {
        self.types.iter().flat_map(|(event_type, newest)| (1..=*newest).map(move |version| (*event_type, version)))
    }

    /// Where the recorded example of one version lies.
    pub fn example(&self, event_type: &str, version: u32) -> PathBuf {
        file("tests/corpus", self.name, event_type, version)
    }

    /// Where the schema of one version lies.
    pub fn published(&self, event_type: &str, version: u32) -> PathBuf {
        file("docs/events", self.name, event_type, version)
    }
}

fn again<E: StoredEvent>(event_type: &str, version: u32, payload: Value) -> Result<Value, String> {
    let event: E = decode(event_type, &version.to_string(), payload).map_err(|fault| format!("{fault:?}"))?;
    serde_json::to_value(event).map_err(|error| error.to_string())
}

fn file(folder: &str, aggregate: &str, event_type: &str, version: u32) -> PathBuf {
    root().join(folder).join(aggregate).join(format!("{event_type}.v{version}.json"))
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
