use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::event::given;

/// What happened to a module.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ModuleEvent {
    /// A game has sent this manifest, and it was found sound.
    ManifestDeclared {
        scope: String,
        /// When; null in what was recorded before this was.
        #[serde(deserialize_with = "given")]
        at: Option<DateTime<Utc>>,
        version: u32,
        digest: String,
        /// As it came.
        manifest: Map<String, Value>,
        /// What each of its actions takes and does, by id: the action's version, and the text that a change would change.
        signatures: Vec<ActionSignature>,
    },
    /// The scope's game has said hello and declares it no longer.
    ManifestWithdrawn { scope: String },
}

/// What one version of an action takes and does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActionSignature {
    pub action: String,
    pub version: u32,
    pub signature: String,
}

/// `manifest_declared` 2 says when; before, nobody counted.
fn lifted(event_type: &str, version: u32, mut payload: Value) -> Value {
    if let ("manifest_declared", 1, Some(fields)) = (event_type, version, payload.as_object_mut()) {
        fields.entry("at").or_insert(Value::Null);
    }
    payload
}

crate::stored_events!(ModuleEvent {
    ManifestDeclared => "manifest_declared": 2,
    ManifestWithdrawn => "manifest_withdrawn": 1,
} upcast lifted);
