//! The audit trail: what the world says happened. One JSON line a fact, flushed to the disk before anybody is answered.

use crate::disk;
use serde::Serialize;
use serde_json::{Map, Value};
use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
};

/// Most rows of one reading.
pub const PAGE: usize = 10_000;

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A command ran and was done. One such row for each executed key, never two.
    Applied,
    /// A repeat was answered with the original reply.
    Replayed,
    /// A definite no; nothing changed.
    Refused,
    /// A repeat came while the first was at work.
    Busy,
    /// A command that had begun was cut off: by a restart, or by a fault of its handler.
    Interrupted,
    /// A baseline was written back.
    Restored,
    /// A deadline passed.
    Expired,
    /// A baseline was not written back, because another value was found.
    Drifted,
    /// A person at the console did it.
    Staff,
}

/// One row, without its sequence and instant.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    pub key: Option<String>,
    pub run_id: Option<String>,
    pub kind: String,
    pub outcome: Outcome,
    #[serde(flatten)]
    pub detail: Map<String, Value>,
}

impl Row {
    /// A row without key, run and detail.
    pub fn new(outcome: Outcome, kind: impl Into<String>) -> Self {
        Self { key: None, run_id: None, kind: kind.into(), outcome, detail: Map::new() }
    }

    /// The same with one more field.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.detail.insert(field.to_owned(), value.into());
        self
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Stamped<'a> {
    seq: u64,
    t: i64,
    boot_id: &'a str,
    #[serde(flatten)]
    row: &'a Row,
}

/// The open trail.
#[derive(Debug)]
pub struct Audit {
    path: PathBuf,
    file: File,
    boot_id: String,
    next: u64,
}

impl Audit {
    /// Opens the trail of a data directory; sequences go on where the process before left off.
    pub fn open(directory: &Path, boot_id: String) -> io::Result<Self> {
        let path = directory.join("audit.jsonl");
        let text = disk::whole_lines(&path)?;
        let file = OpenOptions::new().append(true).open(&path)?;
        Ok(Self { path, file, boot_id, next: text.lines().count() as u64 + 1 })
    }

    /// Writes one row and flushes it.
    pub fn record(&mut self, now_ms: i64, row: &Row) -> io::Result<()> {
        let stamped = Stamped { seq: self.next, t: now_ms, boot_id: &self.boot_id, row };
        let mut line = serde_json::to_string(&stamped)?;
        line.push('\n');
        self.file.write_all(line.as_bytes())?;
        self.file.sync_data()?;
        self.next += 1;
        Ok(())
    }

    /// The rows from that sequence on, at most [`PAGE`], and the sequence to go on from, if there are more.
    pub fn read(&self, from: u64) -> io::Result<(Vec<Value>, Option<u64>)> {
        let skipped = usize::try_from(from.saturating_sub(1)).unwrap_or(usize::MAX);
        let lines = BufReader::new(File::open(&self.path)?).lines();
        let mut rows = Vec::new();
        for line in lines.skip(skipped).take(PAGE) {
            rows.push(serde_json::from_str(&line?)?);
        }
        let after = from.max(1) + rows.len() as u64;
        Ok((rows, (after < self.next).then_some(after)))
    }
}
