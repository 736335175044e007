//! Notes: which of them events name, and whether a text is the one that was meant.

use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The salted digest that an event keeps of a note.
pub fn note_digest(salt: &[u8], body: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(salt);
    hash.update(body.as_bytes());
    hex::encode(hash.finalize())
}

/// The notes that a payload names, each with its digest: every object in it of just an `id` and a `digest`.
pub(super) fn named(payload: &Value, found: &mut Vec<(Uuid, String)>) {
    match payload {
        Value::Object(fields) => {
            let note = match (fields.len(), fields.get("id"), fields.get("digest")) {
                (2, Some(Value::String(id)), Some(Value::String(digest))) => id.parse().ok().map(|id| (id, digest.clone())),
                _ => None,
            };
            found.extend(note);
            fields.values().for_each(|value| named(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| named(value, found)),
        _ => {}
    }
}
