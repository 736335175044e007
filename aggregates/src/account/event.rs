use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Role;
use crate::event::given;
use crate::note::NoteRef;

/// What happened to an account. Who it is, by name, and what a token looks like are rows beside the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    /// Whoever took part in events under this id is the account's person.
    MemberLinked {
        member: Uuid,
    },
    MemberUnlinked {
        member: Uuid,
    },
    /// Whose account it is cannot be told any more: name and mail, what its tokens were called, and what the person
    /// typed are blanked beside the log. Again for what was typed at that very moment.
    AccountErased {
        /// How many notes were blanked.
        notes: u64,
        /// Why, in the words of whoever did it.
        #[serde(deserialize_with = "given")]
        reason: Option<NoteRef>,
    },
}

crate::stored_events!(AccountEvent {
    AccountAdded => "account_added": 1,
    AccountRoleChanged => "account_role_changed": 1,
    AccountDisabled => "account_disabled": 1,
    AccountEnabled => "account_enabled": 1,
    TokenIssued => "token_issued": 1,
    TokenRevoked => "token_revoked": 1,
    MemberLinked => "member_linked": 1,
    MemberUnlinked => "member_unlinked": 1,
    AccountErased => "account_erased": 1,
});
