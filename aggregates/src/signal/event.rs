//! What has happened to a signal.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::event::given;

/// A signal as it was recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// The command's instant.
    pub at: DateTime<Utc>,
    pub trigger: String,
    /// The module that declares the trigger.
    pub module: String,
    pub scope: String,
    /// When it happened, by the clock of whoever reported it.
    #[serde(deserialize_with = "given")]
    pub happened_at: Option<DateTime<Utc>>,
    /// How many firings led to it, one from another.
    pub hops: u32,
    /// A rehearsal's run has done it.
    pub rehearsal: bool,
    /// The variables that its trigger declares, as far as they were told. Nothing else of what was reported is kept.
    pub vars: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum SignalEvent {
    SignalRecorded { signal: Recorded },
}

/// Version 2 says whether a rehearsal led to it; before, that was not asked, and nothing was kept from anybody.
fn lifted(_event_type: &str, _version: u32, mut payload: Value) -> Value {
    if let Some(signal) = payload.get_mut("signal").and_then(Value::as_object_mut) {
        signal.entry("rehearsal").or_insert(Value::Bool(false));
    }
    payload
}

crate::stored_events!(SignalEvent { SignalRecorded => "signal_recorded": 2 } upcast lifted);
