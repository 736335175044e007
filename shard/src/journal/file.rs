//! The journal's file: appended and flushed, compacted by writing a new one beside it.

use super::record::{Record, Remembered, records};
use crate::{disk, fences::Fences, keys::KeyStore};
use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// How many records beyond twice the live ones are kept before the file is rewritten.
const SLACK: usize = 8192;

/// The open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Bytes known to be whole lines.
    length: u64,
    /// Lines in the file.
    lines: usize,
    compact_above: usize,
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
    /// Opens the journal of a data directory and reads it into the store. A last line that a crash tore is cut off; any other broken
    /// line is a failure, because a forgotten key could be run again.
    pub fn open(directory: &Path, now_ms: i64, store: &mut KeyStore) -> Result<(Self, Fences), JournalFailure> {
        let path = directory.join("journal.jsonl");
        let failed = |source| JournalFailure::Io { path: path.clone(), source };
        let text = disk::whole_lines(&path).map_err(failed)?;
        let mut remembered = Remembered::default();
        for (index, line) in text.lines().enumerate() {
            let broken = |source| JournalFailure::Broken { path: path.clone(), line: index + 1, source };
            remembered.take(serde_json::from_str(line).map_err(broken)?);
        }
        let runs = remembered.into_store(now_ms, store);
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        let mut journal = Self { path: path.clone(), file, length: 0, lines: 0, compact_above: 0 };
        journal.compact(store, &runs).map_err(failed)?;
        Ok((journal, runs))
    }

    /// Writes records and flushes them to the disk; on failure nothing of them stays.
    pub fn append(&mut self, records: &[Record]) -> io::Result<()> {
        let text = to_lines(records)?;
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        if written.is_ok() {
            self.length += text.len() as u64;
            self.lines += records.len();
        } else {
            self.file.set_len(self.length)?;
        }
        written
    }

    /// Rewrites the file with what is remembered, if most of it is history.
    pub fn compact_if_long(&mut self, store: &KeyStore, runs: &Fences) -> io::Result<()> {
        if self.lines > self.compact_above { self.compact(store, runs) } else { Ok(()) }
    }

    /// Lines in the file.
    pub const fn lines(&self) -> usize {
        self.lines
    }

    fn compact(&mut self, store: &KeyStore, runs: &Fences) -> io::Result<()> {
        let live = records(store, runs);
        let text = to_lines(&live)?;
        disk::replace(&self.path, text.as_bytes())?;
        self.file = OpenOptions::new().append(true).open(&self.path)?;
        self.length = text.len() as u64;
        self.lines = live.len();
        self.compact_above = 2 * live.len() + SLACK;
        Ok(())
    }
}

fn to_lines(records: &[Record]) -> io::Result<String> {
    let mut text = String::new();
    for record in records {
        text.push_str(&serde_json::to_string(record)?);
        text.push('\n');
    }
    Ok(text)
}
