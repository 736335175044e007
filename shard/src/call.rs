//! One command as it came: what it asks, by whose claim, and where its answer goes.

use crate::{
    audit::{Outcome, Row},
    outbox::Outbox,
};
use leasehold_link::wire::{Correlation, ErrorName, Kind, OptionalStamp, Refusal, Stamping, limits};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A command whose stamp was judged.
#[derive(Debug)]
pub struct Call {
    pub kind: Kind,
    pub body: Map<String, Value>,
    pub correlation: Correlation,
    pub stamp: OptionalStamp,
    /// When it came, by the game's clock.
    pub received_ms: i64,
    pub outbox: Outbox,
}

impl Call {
    /// The command's fields as a type of the wire; refused by name where they do not fit.
    pub fn fields<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        serde_json::from_value(Value::Object(self.body.clone())).map_err(|fault| bad_field(fault.to_string()))
    }

    /// A row of the audit about it.
    pub fn row(&self, outcome: Outcome) -> Row {
        let (key, run_id) = (self.stamp.idempotency_key.clone(), self.stamp.run_id.clone());
        let row = Row { key, run_id, ..Row::new(outcome, self.kind.as_str()) };
        self.stamp.fence.into_iter().fold(row, |row, fence| row.with("fence", fence))
    }

    /// Its key, where it has one.
    pub fn key(&self) -> Option<&str> {
        self.stamp.idempotency_key.as_deref()
    }
}

/// Most characters of a refusal's sentence. A field may be as long as a line, and a sentence that quotes it must still fit one.
const REASON_MAX_CHARS: usize = 400;

/// A refusal of a field. What it quotes of the field is cut.
pub fn bad_field(reason: impl Into<String>) -> Refusal {
    let whole: String = reason.into();
    let cut = whole.char_indices().nth(REASON_MAX_CHARS).map(|(end, _)| format!("{}…", &whole[..end]));
    Refusal::new(ErrorName::BadField, cut.unwrap_or(whole))
}

/// The key of a body, or `None` where it has none; a key that is no key is refused.
pub fn read_key(body: &Map<String, Value>) -> Result<Option<String>, Refusal> {
    let Some(value) = body.get("idempotencyKey").filter(|value| !value.is_null()) else { return Ok(None) };
    let printable = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
    let key = value.as_str().filter(|text| (1..=limits::KEY_MAX_BYTES).contains(&text.len()) && printable(text));
    let reason = || format!("idempotencyKey must be a text of 1 to {} printable characters", limits::KEY_MAX_BYTES);
    key.map(|key| Some(key.to_owned())).ok_or_else(|| bad_field(reason()))
}

/// The stamp of a body; refused where a field is missing that its kind must carry, or is not what it must be.
pub fn read_stamp(kind: Kind, body: &Map<String, Value>) -> Result<OptionalStamp, Refusal> {
    let mut fields = Map::new();
    for field in ["runId", "fence", "ttlMs", "idempotencyKey"] {
        fields.extend(body.get(field).map(|value| (field.to_owned(), value.clone())));
    }
    let stamp: OptionalStamp = serde_json::from_value(Value::Object(fields)).map_err(|fault| bad_field(fault.to_string()))?;
    let (run, world) = (kind.stamping() != Stamping::Free, kind.stamping() == Stamping::World);
    let required = [
        ("runId", run, stamp.run_id.is_some()),
        ("fence", run, stamp.fence.is_some()),
        ("ttlMs", world, stamp.ttl_ms.is_some()),
        ("idempotencyKey", world, stamp.idempotency_key.is_some()),
    ];
    if let Some((field, ..)) = required.into_iter().find(|(_, required, present)| *required && !present) {
        return Err(bad_field(format!("{kind} must carry {field}")));
    }
    match &stamp.run_id {
        Some(run) if run.is_empty() || run.len() > limits::RUN_ID_MAX_BYTES || run.chars().any(char::is_control) => {
            Err(bad_field(format!("runId must be a text of 1 to {} bytes without control characters", limits::RUN_ID_MAX_BYTES)))
        }
        _ => Ok(stamp),
    }
}
