use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an account may do. The four are not a ladder: a moderator may stop runs but not author, an editor the reverse.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::EnumIter,
    strum::IntoStaticStr,
    strum::EnumString,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Role {
    Admin,
    Editor,
    Moderator,
    Player,
}

impl Role {
    /// Admins, editors and moderators: who may look behind the scenes.
    pub fn is_staff(self) -> bool {
        self != Self::Player
    }
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str((*self).into())
    }
}
