//! What changed: in a run between two places of the log, field by field of its two views; and between two versions of a
//! definition.

mod compare;
mod versions;
mod words;

pub use versions::content_changes;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;

use crate::run_view::RunView;
use crate::story::StoryLine;

/// A place in the log, with the instant that the log had reached there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Placed {
    pub position: u64,
    pub at: DateTime<Utc>,
}

/// Two places of one run, and what changed from the one to the other.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunDifference {
    pub run_id: String,
    pub title: String,
    pub from: Placed,
    pub to: Placed,
    /// In the order of the fields of a run's view; `position` and `at` are `from` and `to`.
    pub changes: Vec<Change>,
    /// What happened in between, behind `from` up to and with `to`.
    pub lines: Vec<StoryLine>,
}

/// One field that is not as it was.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// JSON pointer into the later view; of what is gone, into the earlier.
    pub pointer: String,
    pub kind: ChangeKind,
    /// As it was; null where it was not there.
    pub from: Value,
    /// As it is; null where it is gone.
    pub to: Value,
    /// For people.
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    Changed,
    /// It was not there.
    Added,
    /// It is not there any more.
    Removed,
    /// It is as it was, and stands elsewhere.
    Moved,
}

impl RunDifference {
    /// From one view to the other; `lines` are those of the later story.
    pub fn between(from: &RunView, to: &RunView, lines: Vec<StoryLine>) -> Result<Self, serde_json::Error> {
        let placed = |view: &RunView| Placed { position: view.summary.position, at: view.at };
        let (from_at, to_at) = (placed(from), placed(to));
        let (mut earlier, mut later) = (serde_json::to_value(from)?, serde_json::to_value(to)?);
        for view in [&mut earlier, &mut later] {
            if let Some(fields) = view.as_object_mut() {
                fields.remove("position");
                fields.remove("at");
            }
        }
        let between = |line: &StoryLine| line.position > from_at.position && line.position <= to_at.position;
        Ok(Self {
            run_id: to.summary.id.clone(),
            title: to.summary.title.clone(),
            from: from_at,
            to: to_at,
            changes: compare::changes(&earlier, &later),
            lines: lines.into_iter().filter(between).collect(),
        })
    }
}
