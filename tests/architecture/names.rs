//! Names that say nothing, and events that are no facts.

use crate::tree::{Text, none, planted, texts};

/// Parts of a name that say nothing about what the thing is.
const EMPTY: [&str; 4] = ["manager", "service", "helper", "util"];
const DECLARES: [&str; 5] = ["struct ", "enum ", "trait ", "mod ", "type "];

/// The name that a line declares, if it declares one.
fn declared(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix("pub").map_or(line, |rest| rest.find(' ').map_or(rest, |space| &rest[space + 1..]));
    let name = DECLARES.into_iter().find_map(|keyword| line.strip_prefix(keyword))?;
    name.split(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|name| !name.is_empty())
}

fn says_nothing(name: &str) -> bool {
    EMPTY.into_iter().any(|empty| name.to_lowercase().contains(empty))
}

fn faults(file: &Text) -> Vec<String> {
    let mut faults = Vec::new();
    if says_nothing(file.path.rsplit('/').next().unwrap_or_default()) {
        faults.push(format!("{}: the file's name says nothing", file.path));
    }
    let event = file.path.ends_with("/event.rs");
    for (at, line) in file.text.lines().enumerate() {
        if let Some(name) = declared(line).filter(|name| says_nothing(name)) {
            faults.push(file.fault(at + 1, &format!("the name {name} says nothing")));
        }
        if event && line.contains("Updated") {
            faults.push(file.fault(at + 1, "an event says what happened, not that something changed"));
        }
    }
    faults
}

#[test]
fn a_name_that_says_nothing_is_found() {
    let of = |path: &str, text: &str| faults(&planted(path, text)).len();
    assert_eq!(of("src/run_helper.rs", ""), 1);
    assert_eq!(of("src/any.rs", "pub(crate) struct LampManager {\nmod utils;\nuse tower::Service;"), 2);
    assert_eq!(of("src/any.rs", "type Services = ();"), 1);
    assert_eq!(of("aggregates/src/lamp/event.rs", "    LampUpdated { at: DateTime<Utc> },"), 1);
    assert_eq!(of("aggregates/src/lamp/event.rs", "    LampLit { at: DateTime<Utc> },"), 0);
}

/// The library for aggregates names one of its types so, and whoever implements them must.
const FOREIGN: &str = "type Services = ();";

#[test]
fn names_say_something() {
    let files: Vec<Text> = texts("").into_iter().filter(|file| file.is("rs")).collect();
    let ours = files.into_iter().map(|file| Text { text: file.text.replace(FOREIGN, ""), path: file.path });
    none(
        "Call it what it is:",
        &ours.filter(|file| !file.path.ends_with("architecture/names.rs")).flat_map(|file| faults(&file)).collect::<Vec<_>>(),
    );
}
