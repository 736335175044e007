use serde::{Deserialize, Serialize};

use super::Role;

/// What happened to an account. Who it is, by name, and what a token looks like are rows beside the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum AccountEvent {
    AccountAdded {
        role: Role,
    },
    AccountRoleChanged {
        role: Role,
    },
    AccountDisabled {},
    AccountEnabled {},
    /// The token's id; nobody can log in with it.
    TokenIssued {
        token: String,
    },
    TokenRevoked {
        token: String,
    },
}

crate::stored_events!(AccountEvent {
    AccountAdded => "account_added": 1,
    AccountRoleChanged => "account_role_changed": 1,
    AccountDisabled => "account_disabled": 1,
    AccountEnabled => "account_enabled": 1,
    TokenIssued => "token_issued": 1,
    TokenRevoked => "token_revoked": 1,
});
