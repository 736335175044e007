//! The journal's file: lines that are written together are flushed together, and it is compacted by writing a new one beside it.

use super::record::{Record, Remembered, records};
use crate::{fences::Fences, keys::KeyStore};
use leasehold_link::disk::LineFile;
use std::{
    io,
    path::{Path, PathBuf},
};

/// How many records beyond twice the live ones are kept before the file is rewritten.
const SLACK: usize = 8192;
/// What a row of the audit begins with, and no record.
const ROW: &str = "{\"seq\":";

/// The open journal.
#[derive(Debug)]
pub struct Journal {
    file: LineFile,
    /// Lines that wait for the next flush.
    staged: String,
    /// How many they are.
    staged_lines: usize,
    /// Lines in the file.
    lines: usize,
    compact_above: usize,
}

/// What a journal says when it is opened.
#[derive(Debug)]
pub struct Opened {
    pub journal: Journal,
    pub fences: Fences,
    /// Rows of the audit that may not be on the disk elsewhere, oldest first.
    pub rows: Vec<String>,
}

/// Why there is no journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalFailure {
    #[error("cannot use the journal {path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("line {line} of the journal {path} is no record: {source}")]
    Broken { path: PathBuf, line: usize, source: serde_json::Error },
}

impl Journal {
    /// Opens the journal of a data directory and reads it into the store. A last write that a crash tore is cut off; any other broken
    /// line is a failure, because a forgotten key could be run again. Whoever opens it keeps the rows, and compacts it then.
    pub fn open(directory: &Path, now_ms: i64, store: &mut KeyStore) -> Result<Opened, JournalFailure> {
        let path = directory.join("journal.jsonl");
        let (file, text) = LineFile::open(&path).map_err(|source| JournalFailure::Io { path: path.clone(), source })?;
        let (mut remembered, mut rows, mut lines) = (Remembered::default(), Vec::new(), 0);
        for line in text.lines() {
            lines += 1;
            if line.starts_with(ROW) {
                rows.push(line.to_owned());
                continue;
            }
            let broken = |source| JournalFailure::Broken { path: path.clone(), line: lines, source };
            remembered.take(serde_json::from_str(line).map_err(broken)?);
        }
        let fences = remembered.into_store(now_ms, store);
        let journal = Self { file, staged: String::new(), staged_lines: 0, lines, compact_above: SLACK };
        Ok(Opened { journal, fences, rows })
    }

    /// Puts a record among those that the next flush writes.
    pub fn stage(&mut self, record: &Record) -> io::Result<()> {
        let line = serde_json::to_string(record)?;
        self.stage_line(&line);
        Ok(())
    }

    /// Puts a row of the audit among them, as it will stand there.
    pub fn stage_line(&mut self, line: &str) {
        self.staged.push_str(line);
        self.staged.push('\n');
        self.staged_lines += 1;
    }

    /// Writes all that is staged, by one flush to the disk; on failure nothing of it stays.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.staged.is_empty() {
            return Ok(());
        }
        let written = self.file.append(&self.staged);
        if written.is_ok() {
            self.lines += self.staged_lines;
        }
        self.staged.clear();
        self.staged_lines = 0;
        written
    }

    /// Whether most of the file is history.
    pub const fn is_long(&self) -> bool {
        self.lines > self.compact_above
    }

    /// Lines in the file.
    pub const fn lines(&self) -> usize {
        self.lines
    }

    /// Rewrites the file with what is remembered. Rows of the audit in it must be on the disk elsewhere by now.
    pub fn compact(&mut self, store: &KeyStore, runs: &Fences) -> io::Result<()> {
        let mut live = 0;
        self.file.rewrite(records(store, runs).map(|record| {
            live += 1;
            Ok(format!("{}\n", serde_json::to_string(&record)?))
        }))?;
        self.lines = live;
        self.compact_above = 2 * live + SLACK;
        Ok(())
    }
}
