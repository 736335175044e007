//! Events for ever. The corpus, under `tests/corpus/` at the root of the workspace, holds a recorded example of every
//! event and version ever written, and `docs/events/` the JSON schema of each. Every example loads, and every example
//! fits its schema.
//!
//! `BLESS=1` writes what is missing, and the words of a schema, and changes no shape that is there: an event that is
//! shaped differently now wants a new version and an upcast, or its files deleted by hand if nobody ever released it.
#![allow(clippy::unwrap_used, reason = "a test says by panicking that it failed")]

mod aggregate;
mod loads;
mod run;
mod samples;
mod schemas;
mod strict;
mod widening;

use std::fs;
use std::path::Path;

use serde_json::Value;

fn blessing() -> bool {
    std::env::var_os("BLESS").is_some()
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}; BLESS=1 writes it", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn write(path: &Path, value: &Value) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("{}\n", serde_json::to_string_pretty(value).unwrap())).unwrap();
}
