use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happened to a day's allowance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum AllowanceEvent {
    /// A step has drawn on it, in the append that claimed the step.
    AllowanceDrawn { run_id: String, step: String, amount: u64 },
}

crate::stored_events!(AllowanceEvent { AllowanceDrawn => "allowance_drawn": 1 });
