//! What the tests of the log share.

use leasehold::log::{Append, NewEvent, StreamId, StreamWrite};
use serde_json::{Value, json};
use uuid::Uuid;

/// A command's id that no other number has.
pub fn command(number: u128) -> Uuid {
    Uuid::from_u128(0xC0FF_EE00_0000_0000_0000_0000_0000_0000 + number)
}

pub fn lamp(id: &str) -> StreamId {
    StreamId::new("lamp", id)
}

pub fn lit(payload: Value) -> NewEvent {
    NewEvent { event_type: "lamp_lit".into(), event_version: "1".into(), payload }
}

/// One event for one lamp.
pub fn light(number: u128, id: &str, expected: u64) -> Append {
    let payload = json!({"type": "lamp_lit", "number": number.to_string()});
    Append { writes: vec![StreamWrite { stream: lamp(id), expected, events: vec![lit(payload)] }], ..Append::of(command(number)) }
}
