//! The whole log in one file, with the rows beside it that an engine needs to go on: to move it, or to keep it.
//!
//! The first line names the log and its head. Then come the tables in a fixed order, each with a line that names its
//! columns, its rows as `COPY` writes them in text form, and the line `\.`. The last line holds the sha256 of everything
//! before it. Nothing in it depends on the hour or the place of the export: the same log gives the same bytes.
//!
//! What is stored is carried over as it is: positions, instants, hashes and the texts that were hashed, byte for byte. An
//! import goes through the schema's own triggers, in one transaction, into a database that holds nothing.

mod export;
mod import;
mod reader;
mod table;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::error::LogError;

pub use table::{CARRIED, LEFT_BEHIND};

const FORMAT: &str = "leasehold-log-1";
/// Ends a table's rows. No row reads so: a backslash in a value is doubled.
const END: &[u8] = b"\\.\n";

/// What is said first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    /// Version of the schema.
    schema: i64,
    log: Uuid,
    /// `POSITION:HASH`.
    head: String,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TableLine {
    table: String,
    columns: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trailer {
    sha256: String,
}

/// What was written, or taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Archived {
    /// The log's id.
    pub log: Uuid,
    /// Position of its newest event.
    pub head: u64,
}

/// Why a log was not written down, or not taken in. Nothing of it is in the database then.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("the log was never opened by an engine: there is nothing to export")]
    NotOpen,
    #[error("the file cannot be read or written")]
    File(#[from] std::io::Error),
    #[error("the database is not empty: there are rows in {table}")]
    NotEmpty { table: &'static str },
    #[error(
        "the file was made with version {found} of the schema and the database has version {here}: use the program that made it, then the newer one"
    )]
    OtherSchema { found: i64, here: i64 },
    #[error("the file is no export of a log, at {part}: {why}")]
    Malformed { part: &'static str, why: String },
    #[error("the database refuses the rows of {table}")]
    Refused { table: &'static str, source: sqlx::Error },
}

impl From<sqlx::Error> for ArchiveError {
    fn from(error: sqlx::Error) -> Self {
        Self::Log(error.into())
    }
}
