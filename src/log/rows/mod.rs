//! Rows beside the log that commit with an append: drafts, notes, accounts and their tokens. A closed set.

mod erase;
mod prune;
mod read;
mod write;

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

pub use read::{AccountRow, Draft, Note};
pub(super) use write::write;

/// One row to be written in the append that justifies it.
#[derive(Debug, Clone, PartialEq)]
pub enum RowWrite {
    /// Saves a definition's draft as the next revision. Refused unless the draft is at `expected_revision` (0: there is none).
    Draft { definition_id: String, expected_revision: u64, body: Value, by: String, at: DateTime<Utc> },
    /// Removes a draft that is at `expected_revision`.
    DropDraft { definition_id: String, expected_revision: u64 },
    /// Refused while a draft names this series.
    SeriesIsEmpty { series_id: String },
    /// A note that an event of this append names.
    Note { id: Uuid, salt: Vec<u8>, body: String, by: String, at: DateTime<Utc> },
    /// The account as it stands after this append, new or known.
    Account { account_id: String, name: String, role: String, disabled: bool },
    /// A new bearer token of an account, by its sha256 (32 bytes).
    Token { digest: Vec<u8>, account_id: String, label: String },
    /// Ends a token that opens something now.
    RevokeToken { digest: Vec<u8> },
    /// Blanks an account's name and what its tokens are called, and ends all of them. From then on whatever it writes is
    /// blank from the beginning. Harmless when done again.
    EraseAccount { account_id: String, at: DateTime<Utc> },
    /// A member is this account's person from now on, or nobody's; refused unless it is `of` whom the append expects.
    LinkMember { member: Uuid, of: Option<String>, to: Option<String> },
    /// Blanks what a game calls a member; refused where that is done already.
    EraseMember { member: Uuid },
    /// Blanks text and salt of every note that this account wrote. Refused unless they are `expected`, so that the event
    /// can tell how many.
    BlankNotes { written_by: String, expected: u64 },
}
