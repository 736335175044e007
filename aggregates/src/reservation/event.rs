use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happened to a slug. A slug is never given back: an address that was once told keeps its meaning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum SlugEvent {
    SlugTaken { by: String },
}

/// What happened to a concurrency slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum SlotEvent {
    SlotTaken { by: String },
    SlotReleased { by: String },
}

crate::stored_events!(SlugEvent { SlugTaken => "slug_taken": 1 });

crate::stored_events!(SlotEvent {
    SlotTaken => "slot_taken": 1,
    SlotReleased => "slot_released": 1,
});
