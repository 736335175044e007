//! What the tests of the log share.

use std::io::Write;
use std::process::{Command, Stdio};

use leasehold::log::{Append, NewEvent, StreamId, StreamWrite};
use serde_json::{Value, json};
use sqlx::{Executor, PgConnection};
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
    let write = StreamWrite { stream: lamp(id), expected, events: vec![lit(payload)] };
    Append { writes: vec![write], ..Append::of(command(number)) }
}

/// The statement with which a raw writer, who knows nothing of positions, appends one event.
pub fn raw_insert(id: &str, sequence: u64) -> String {
    format!(
        "insert into events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
         values ('lamp', '{id}', {sequence}, 'lamp_lit', '1', '{{\"type\": \"lamp_lit\"}}', '{{}}')"
    )
}

/// Runs a script in a process of its own and returns what went wrong, if anything did.
pub fn psql(url: &str, script: &str) -> Option<String> {
    let mut command = Command::new("psql");
    command.args(["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", url]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The code with which the database refuses a statement, which must not succeed.
pub async fn refusal(connection: &mut PgConnection, statement: &str) -> String {
    match connection.execute(statement).await {
        Err(sqlx::Error::Database(refused)) => refused.code().unwrap_or_default().into_owned(),
        other => panic!("{statement} was not refused but gave {other:?}"),
    }
}
