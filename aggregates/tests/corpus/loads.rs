//! What was ever written is read, and written again as it was.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::aggregate::{Aggregate, aggregates, root};
use crate::{blessing, read, write};

fn bless(aggregate: &Aggregate) {
    for sample in &aggregate.samples {
        let path = aggregate.example(&sample.event_type, sample.version);
        if !path.exists() {
            write(&path, &sample.payload);
        }
    }
}

#[test]
fn every_event_ever_written_loads() {
    for aggregate in aggregates() {
        if blessing() {
            bless(&aggregate);
        }
        for (event_type, version) in aggregate.versions() {
            let path = aggregate.example(event_type, version);
            let recorded = read(&path);
            let again = (aggregate.again)(event_type, version, recorded.clone());
            let again = again.unwrap_or_else(|fault| panic!("{} does not load: {fault}", path.display()));
            if aggregate.types.contains(&(event_type, version)) {
                assert_eq!(again, recorded, "{} is written differently now", path.display());
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
        for sample in &aggregate.samples {
            let event_type = sample.event_type.as_str();
            assert_eq!(sample.payload["type"], event_type, "{}", aggregate.name);
            assert_eq!(declared.get(event_type), Some(&sample.version), "{event_type}");
            seen.insert(event_type);
        }
        assert_eq!(seen, declared.keys().copied().collect(), "{}: an example of each event, in code", aggregate.name);
    }
}

#[test]
fn nothing_unknown_lies_in_the_corpus_or_among_the_schemas() {
    type Place = fn(&Aggregate, &str, u32) -> PathBuf;
    for (folder, place) in [("tests/corpus", Aggregate::example as Place), ("docs/events", Aggregate::published)] {
        let mut expected = BTreeSet::new();
        for aggregate in aggregates() {
            expected.extend(aggregate.versions().map(|(event_type, version)| place(&aggregate, event_type, version)));
        }
        let files: BTreeSet<PathBuf> = files(&root().join(folder)).into_iter().collect();
        let unknown: Vec<_> = files.difference(&expected).collect();
        assert!(unknown.is_empty(), "an event that was ever written keeps its name and version: {unknown:?}");
    }
}

/// The files in the folders of `of`.
fn files(of: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(of).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    folders.flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path()).collect()
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
