//! Places in the engine's log, as the way to a game remembers them.

use serde::{Deserialize, Serialize};

use crate::Failure;

/// A place in a log. The way to a game keeps the highest that it was sent commands from: so an engine that comes back on an
/// older copy of its log, or on another, can be told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// The id with which the log was opened.
    pub log: String,
    pub position: u64,
    /// The hash of the event there, in 64 lowercase hexadecimal digits.
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = "^[0-9a-f]{64}$")))]
    pub hash: String,
}

impl std::fmt::Display for Mark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let begins: String = self.hash.chars().take(12).collect();
        write!(f, "position {} ({begins}…) of the log {}", self.position, self.log)
    }
}

/// The newest place that commands to a scope came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LastSeen {
    /// No command has named one, or nobody there remembers any.
    Nothing,
    Mark(Mark),
    /// It cannot be known now: whoever keeps it does not answer as it should.
    Unreached(Failure),
}
