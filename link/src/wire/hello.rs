//! The first frames of a connection. The game dials out and speaks first.

use super::limits::PROTOCOL;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

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
    /// What the game offers, for an engine to read; the sidecar passes it through unread. As long as the line allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<Map<String, Value>>,
}

impl Hello {
    /// What tells one manifest from another; none where the game sent none.
    pub fn manifest_digest(&self) -> Option<String> {
        self.manifest.as_ref().map(digest_of)
    }

    /// The hello as the feed keeps it: the digest in the place of the manifest itself.
    pub fn as_report(&self) -> Map<String, Value> {
        let digest = self.manifest_digest();
        let shown = Self { manifest: None, ..self.clone() };
        let mut frame = match serde_json::to_value(shown) {
            Ok(Value::Object(frame)) => frame,
            _ => Map::new(),
        };
        frame.insert("manifestDigest".to_owned(), digest.into());
        frame
    }
}

/// The digest of a manifest: 64 lowercase hexadecimal digits, the same for the same object in any order of fields.
pub fn digest_of(manifest: &Map<String, Value>) -> String {
    // Objects are kept in the order of their names, so that this text is the same for the same object.
    hex::encode(Sha256::digest(serde_json::to_string(manifest).unwrap_or_default()))
}

/// The answer to `GET /manifest`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ManifestTold {
    /// Of the game on the line; none where no game is.
    pub boot_id: Option<String>,
    /// None where no game is on the line, or it sent no manifest.
    pub digest: Option<String>,
    pub manifest: Option<Map<String, Value>>,
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
