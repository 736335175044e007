//! Bytes to lines, without I/O: at most 256 KiB each, and a line that is too long costs itself only.

use super::limits::{GAME_LINE_MAX_DEPTH, LINE_MAX_BYTES};
use serde_json::{Map, Value};

/// One line of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Its bytes, without the line feed (nor a carriage return before it).
    Whole(Vec<u8>),
    /// It was over the limit and is thrown away; the next line starts clean.
    TooLong,
}

/// Cuts a stream of bytes into lines. Holds at most one line's worth of bytes.
#[derive(Debug)]
pub struct LineSplitter {
    held: Vec<u8>,
    skipping: bool,
    limit: usize,
}

impl Default for LineSplitter {
    fn default() -> Self {
        Self::with_limit(LINE_MAX_BYTES)
    }
}

impl LineSplitter {
    /// A splitter with a limit of its own, in bytes without the line feed.
    pub const fn with_limit(limit: usize) -> Self {
        Self { held: Vec::new(), skipping: false, limit }
    }

    /// Takes the next bytes and gives the lines that they complete. Empty lines are passed over.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            self.take(&rest[..end]);
            lines.extend(self.finish());
            rest = &rest[end + 1..];
        }
        self.take(rest);
        lines
    }

    /// How many bytes of an unfinished line are kept.
    pub const fn held_bytes(&self) -> usize {
        self.held.len()
    }

    fn take(&mut self, bytes: &[u8]) {
        if self.skipping {
            return;
        }
        // One byte more than the limit is room for a carriage return.
        if self.held.len() + bytes.len() > self.limit + 1 {
            self.skipping = true;
            self.held = Vec::new();
        } else {
            self.held.extend_from_slice(bytes);
        }
    }

    fn finish(&mut self) -> Option<Line> {
        if std::mem::take(&mut self.skipping) {
            return Some(Line::TooLong);
        }
        let mut line = std::mem::take(&mut self.held);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        match line.len() {
            0 => None,
            length if length > self.limit => Some(Line::TooLong),
            _ => Some(Line::Whole(line)),
        }
    }
}

/// Whether an object nests deeper than a game's line may.
pub fn is_too_deep(object: &Map<String, Value>) -> bool {
    fn deeper(value: &Value, left: usize) -> bool {
        match value {
            Value::Array(of) => left == 0 || of.iter().any(|value| deeper(value, left - 1)),
            Value::Object(of) => left == 0 || of.values().any(|value| deeper(value, left - 1)),
            _ => false,
        }
    }
    object.values().any(|value| deeper(value, GAME_LINE_MAX_DEPTH - 1))
}
