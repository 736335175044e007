//! What commands print on standard output, for people or for programs.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::ValueEnum;
use serde::Serialize;

use super::Failed;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs; the same fields in every release.
    Json,
}

/// A JSON document that people can read, too.
pub fn document(document: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(document)? + "\n")
}

/// A reader that has seen enough (`| head`) is no failure.
pub fn write(text: &str) -> Result<ExitCode, Failed> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(ExitCode::SUCCESS),
    }
}
