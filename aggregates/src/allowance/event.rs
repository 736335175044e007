use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happened to a day's allowance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum AllowanceEvent {
    /// The day was bounded when draws on it had been made already: this is what they came to.
    AllowanceCounted {
        /// The sequence of the deployment's event that bounds the day.
        capped_by: u64,
        drawn: u64,
    },
    /// A step has drawn on it, in the append that claimed the step.
    AllowanceDrawn { run_id: String, step: String, amount: u64 },
}

crate::stored_events!(AllowanceEvent { AllowanceCounted => "allowance_counted": 1, AllowanceDrawn => "allowance_drawn": 1 });
