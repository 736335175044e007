//! The program asked about a log that a test has filled.

use std::process::{Command, Output};

use leasehold::log::{Append, NewEvent, StreamId, StreamWrite};
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};
use uuid::Uuid;

use crate::programs;
use crate::support::{TestDatabase, fresh_database};

/// What came of a command: its exit status, the JSON it printed (null if it printed none), and what it told beside that.
pub struct Asked {
    pub status: i32,
    pub printed: Value,
    pub told: String,
}

pub fn ask(database: &TestDatabase, args: &[&str]) -> Asked {
    let output = output(database, args);
    Asked {
        status: output.status.code().unwrap(),
        printed: serde_json::from_slice(&output.stdout).unwrap_or_default(),
        told: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The program on this database, as the engine's role and the owner.
pub fn output(database: &TestDatabase, args: &[&str]) -> Output {
    program(database, args).output().unwrap()
}

pub fn program(database: &TestDatabase, args: &[&str]) -> Command {
    let mut command = Command::new(programs::engine());
    command.args(args).env("DATABASE_URL", &database.app_url).env("LEASEHOLD_OWNER_URL", &database.owner_url);
    command
}

/// An opened log with as many events, the opening among them.
pub async fn with_events(count: u64) -> TestDatabase {
    let database = fresh_database().await;
    database
        .log()
        .await
        .open_genesis(Uuid::new_v5(&Uuid::NAMESPACE_URL, database.app_url.as_bytes()), std::collections::BTreeMap::new())
        .await
        .unwrap();
    for sequence in 0..count - 1 {
        light(&database, sequence + 1).await;
    }
    database
}

/// Appends the event that comes to lie at this position.
pub async fn light(database: &TestDatabase, position: u64) {
    let event = NewEvent { event_type: "lamp_lit".into(), event_version: "1".into(), payload: json!({"type": "lamp_lit"}) };
    let write = StreamWrite { stream: StreamId::new("lamp", "a"), expected: position - 1, events: vec![event] };
    let append = Append { writes: vec![write], ..Append::of(Uuid::from_u128(u128::from(position))) };
    database.log().await.append(append).await.unwrap();
}

/// Does to the rows what no session can do while the guards are on; they stay off until the owner's next start.
pub async fn force(database: &TestDatabase, change: &str) {
    let mut superuser = PgConnection::connect(&database.owner_url).await.unwrap();
    superuser.execute("alter table events disable trigger all").await.unwrap();
    superuser.execute(change).await.unwrap();
    superuser.close().await.unwrap();
}
