//! `log/genesis`: position 0 of every log. Nothing is decided about it: whoever opens the log appends it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The first half of the stream's name.
pub const TYPE: &str = "log";

/// What happened to the log itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum GenesisEvent {
    /// The log began, under an id that no other log has.
    LogOpened { log_id: uuid::Uuid },
}

crate::stored_events!(GenesisEvent { LogOpened => "log_opened": 1 });
