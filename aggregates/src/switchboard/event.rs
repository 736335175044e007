use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happened to a switch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum SwitchEvent {
    /// The whole row as it is from now on: caps per run by dimension, and no cap on what is not named.
    ActionSwitched { enabled: bool, caps: BTreeMap<String, u64> },
}

crate::stored_events!(SwitchEvent { ActionSwitched => "action_switched": 1 });
