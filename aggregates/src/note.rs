//! Notes: text that somebody typed about an act, or that a game answered in words. It lies beside the log, where it can
//! be blanked; an event holds what is here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A note as an event names it: by its id, and by the digest of its salt and text. Once both are blanked the digest says
/// nothing, not even to somebody who guesses the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoteRef {
    pub id: uuid::Uuid,
    /// 64 hexadecimal digits: sha256 of the salt and the text.
    #[schemars(extend("pattern" = "^[0-9a-f]{64}$"))]
    pub digest: String,
}
