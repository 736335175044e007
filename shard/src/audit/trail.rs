//! The trail's file. Its rows are flushed with the journal, where each stands too until the trail itself is flushed; one that a crash
//! of the machine took from the trail is taken in from there.

use super::Row;
use serde::Serialize;
use serde_json::Value;
use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
};

/// Most rows of one reading.
const PAGE: usize = 10_000;

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
    /// Rows that are numbered and not yet in the file.
    staged: String,
}

impl Audit {
    /// Opens the trail of a data directory, takes in what the journal has beyond it, and flushes it. Sequences go on where the
    /// process before left off. What a crash of the machine left behind the last whole row is cut off.
    pub fn open(directory: &Path, boot_id: String, journaled: &[String]) -> io::Result<Self> {
        let path = directory.join("audit.jsonl");
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path)?;
        let (rows, bytes) = whole_rows(&file)?;
        if bytes < file.metadata()?.len() {
            tracing::warn!(path = %path.display(), rows, "cut off what a crash tore");
            file.set_len(bytes)?;
        }
        let mut next = rows + 1;
        for row in journaled {
            if numbered(row.as_bytes(), next) {
                writeln!(file, "{row}")?;
                next += 1;
            }
        }
        file.sync_all()?;
        Ok(Self { path, file, boot_id, next, staged: String::new() })
    }

    /// Numbers a row, which counts once it is flushed with the journal; gives its line.
    pub fn stage(&mut self, now_ms: i64, row: &Row) -> io::Result<&str> {
        let stamped = Stamped { seq: self.next, t: now_ms, boot_id: &self.boot_id, row };
        let line = serde_json::to_string(&stamped)?;
        let start = self.staged.len();
        self.staged.push_str(&line);
        self.staged.push('\n');
        self.next += 1;
        Ok(&self.staged[start..start + line.len()])
    }

    /// Whether rows wait to be written.
    pub const fn is_staged(&self) -> bool {
        !self.staged.is_empty()
    }

    /// Writes what was staged: the journal has it on the disk by now.
    pub fn write(&mut self) -> io::Result<()> {
        self.file.write_all(self.staged.as_bytes())?;
        self.staged.clear();
        Ok(())
    }

    /// Returns once all that was written is on the disk, so that the journal need not have it any more.
    pub fn flush(&self) -> io::Result<()> {
        self.file.sync_data()
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

/// How many rows the file holds from its beginning, one number after the other, and how many bytes they are.
fn whole_rows(file: &File) -> io::Result<(u64, u64)> {
    let (mut reader, mut line) = (BufReader::new(file), Vec::new());
    let (mut rows, mut bytes) = (0, 0);
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line)?;
        if !line.ends_with(b"}\n") || !numbered(&line, rows + 1) {
            return Ok((rows, bytes));
        }
        rows += 1;
        bytes += length as u64;
    }
}

/// Whether a line is the row of that number.
fn numbered(line: &[u8], seq: u64) -> bool {
    line.starts_with(format!("{{\"seq\":{seq},").as_bytes())
}
