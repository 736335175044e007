use leasehold_module::Mark;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RewindCause;

/// What happened to the deployment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum DeploymentEvent {
    /// A person has decided that history goes on from `head`. What was done to the scope's world between there and `seen` is
    /// not in this log.
    RewindAccepted { scope: String, cause: RewindCause, seen: Mark, head: Mark },
}

crate::stored_events!(DeploymentEvent { RewindAccepted => "rewind_accepted": 1 });
