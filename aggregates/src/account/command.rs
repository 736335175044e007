use uuid::Uuid;

use super::Role;
use crate::note::NoteRef;

/// What may be asked of an account. `other_admins` says whether another enabled admin exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountCommand {
    Add {
        role: Role,
    },
    ChangeRole {
        role: Role,
        other_admins: bool,
    },
    Disable {
        other_admins: bool,
    },
    Enable,
    IssueToken {
        token: String,
    },
    RevokeToken {
        token: String,
    },
    /// This member of events is the account's person.
    LinkMember {
        member: Uuid,
    },
    UnlinkMember {
        member: Uuid,
    },
    /// `notes`: how many of the person's notes still hold their text.
    Erase {
        notes: u64,
        reason: Option<NoteRef>,
        other_admins: bool,
    },
}
