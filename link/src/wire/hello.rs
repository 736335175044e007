//! The first frames of a connection. The game dials out and speaks first.

use super::limits::PROTOCOL;
use serde::{Deserialize, Serialize};

/// `server.hello`: the game's first frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "server.hello", rename_all = "camelCase")]
pub struct Hello {
    /// The game's clock in milliseconds since 1970.
    pub t: i64,
    pub protocol: u32,
    /// New at every boot of the game, the same over reconnections.
    pub boot_id: String,
    /// How long a key is remembered, in seconds.
    pub key_memory_sec: u64,
    /// How many keys are remembered at most.
    pub key_cap: u64,
    /// What the game calls itself.
    pub game: String,
    /// Which of the operator's servers this is.
    pub scope: String,
}

/// `link.welcome`: the sidecar accepts the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "link.welcome", rename_all = "camelCase")]
pub struct Welcome {
    pub protocol: u32,
}

/// `link.refused`: the sidecar will not carry commands to this game, and says why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "link.refused", rename_all = "camelCase")]
pub struct LinkRefused {
    pub reason: String,
    pub protocol: u32,
}

impl Welcome {
    /// The welcome of this build.
    pub const fn current() -> Self {
        Self { protocol: PROTOCOL }
    }
}
