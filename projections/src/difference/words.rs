//! A difference in words, and as text for a terminal.

use std::fmt;

use serde_json::Value;

use super::{ChangeKind, RunDifference};
use crate::sentences::{count, instant, plain};

/// Most characters of a value that a sentence shows.
const MOST: usize = 120;

/// A place in a document: as a pointer, and as people would call it.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    pub pointer: String,
    words: String,
}

impl Place {
    pub fn called(pointer: impl Into<String>, words: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), words: words.into() }
    }

    pub fn field(&self, name: &str) -> Self {
        let escaped = name.replace('~', "~0").replace('/', "~1");
        let words = if self.words.is_empty() { name.to_owned() } else { format!("{}, {name}", self.words) };
        Self { pointer: format!("{}/{escaped}", self.pointer), words }
    }

    /// An item of the list at this place, by its index and its name.
    pub fn item(&self, index: usize, name: &str) -> Self {
        let one = self.words.strip_suffix('s').unwrap_or(&self.words);
        Self { pointer: format!("{}/{index}", self.pointer), words: format!("{one} {name}") }
    }
}

pub(super) fn sentence(place: &Place, kind: ChangeKind, from: &Value, to: &Value) -> String {
    let what = &place.words;
    match kind {
        ChangeKind::Changed | ChangeKind::Moved => format!("{what}: was {}, is {}", shown(from), shown(to)),
        ChangeKind::Added => format!("{what}: was not there, is {}", shown(to)),
        ChangeKind::Removed => format!("{what}: was {}, is not there any more", shown(from)),
    }
}

pub(super) fn shown(value: &Value) -> String {
    let text = match value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => format!("“{text}”"),
        other => other.to_string(),
    };
    if text.chars().count() <= MOST { text } else { text.chars().take(MOST).chain(['…']).collect() }
}

impl fmt::Display for RunDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "run {} “{}”", plain(&self.run_id), plain(&self.title))?;
        let (from, to) = (self.from, self.to);
        let (since, until) = (instant(from.at), instant(to.at));
        writeln!(f, "from position {} ({since}) to position {} ({until}): {}", from.position, to.position, self.counted())?;
        writeln!(f)?;
        for change in &self.changes {
            writeln!(f, "  {}", plain(&change.text))?;
        }
        if !self.lines.is_empty() {
            writeln!(f, "\nin between")?;
        }
        for line in &self.lines {
            writeln!(f, "{:>8}  {}  {}  {}", line.position, instant(line.at), plain(&line.actor), plain(&line.text))?;
        }
        Ok(())
    }
}

impl RunDifference {
    fn counted(&self) -> String {
        if self.changes.is_empty() { "nothing changed".to_owned() } else { count(self.changes.len(), "change") }
    }
}
