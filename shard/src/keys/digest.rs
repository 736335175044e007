//! Whether two commands are one: a digest of what must not change between attempts.

use leasehold_link::wire::Correlation;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// Fields that may differ from one attempt to the next: the claim and the time that the sender has, and the instant for display.
const MAY_DIFFER: [&str; 4] = ["fence", "idempotencyKey", "ttlMs", "untilMs"];

/// The digest of a command without its correlation and without what a retry may change. Fields in any order.
pub fn digest(body: &Map<String, Value>, correlation: &Correlation) -> String {
    let mut hash = Sha256::new();
    let counts = |field: &&String| field.as_str() != correlation.field && !MAY_DIFFER.contains(&field.as_str());
    feed_fields(&mut hash, body, body.keys().filter(counts).collect());
    hex::encode(hash.finalize())
}

fn feed(hash: &mut Sha256, value: &Value) {
    match value {
        Value::Object(fields) => feed_fields(hash, fields, fields.keys().collect()),
        Value::Array(items) => {
            hash.update(format!("[{}", items.len()));
            for item in items {
                feed(hash, item);
            }
        }
        plain => hash.update(plain.to_string()),
    }
    hash.update(",");
}

fn feed_fields(hash: &mut Sha256, fields: &Map<String, Value>, mut names: Vec<&String>) {
    names.sort();
    hash.update(format!("{{{}", names.len()));
    for name in names {
        hash.update(Value::from(name.as_str()).to_string());
        feed(hash, &fields[name]);
    }
}
