//! Histories in a log.

use std::collections::BTreeMap;

use leasehold::engine::projector::catch_up;
use leasehold::log::{Append, Log, LogOptions, NewEvent, StreamId, StreamWrite};
use sqlx::Row;
use uuid::Uuid;

use crate::bench::{Fact, at};
use crate::support::{TestDatabase, fresh_database};

/// A database whose log is open, and what was appended to it.
pub struct History {
    pub database: TestDatabase,
    pub log: Log,
    sequences: BTreeMap<(String, String), u64>,
    commands: u128,
    /// Position of the newest event.
    pub head: u64,
}

impl History {
    pub async fn new() -> Self {
        let database = fresh_database().await;
        let log = database.log_with(LogOptions { connections: 12, ..LogOptions::default() }).await;
        log.open_genesis(Uuid::from_u128(1), BTreeMap::new()).await.unwrap();
        Self { database, log, sequences: BTreeMap::new(), commands: 0, head: 0 }
    }

    /// Appends one command's facts, at once; says the position of the last.
    pub async fn append(&mut self, facts: &[Fact]) -> u64 {
        self.commands += 1;
        let mut writes: Vec<StreamWrite> = Vec::new();
        for fact in facts {
            let key = (fact.aggregate_type.to_owned(), fact.aggregate_id.clone());
            let sequence = self.sequences.entry(key).or_default();
            let stream = StreamId::new(fact.aggregate_type, &fact.aggregate_id);
            let event = NewEvent {
                event_type: fact.event_type.clone(),
                event_version: fact.event_version.clone(),
                payload: fact.payload.clone(),
            };
            match writes.iter_mut().find(|write| write.stream == stream) {
                Some(write) => write.events.push(event),
                None => writes.push(StreamWrite { stream, expected: *sequence, events: vec![event] }),
            }
            *sequence += 1;
        }
        let at = at(i64::try_from(self.commands).unwrap()).to_rfc3339();
        let metadata = BTreeMap::from([("actor".to_owned(), "tester".to_owned()), ("at".to_owned(), at)]);
        let append = Append { writes, metadata, ..Append::of(Uuid::from_u128(self.commands << 32)) };
        self.head = self.log.append(append).await.unwrap().last;
        self.head
    }

    pub async fn append_all(&mut self, commands: &[Vec<Fact>]) {
        for facts in commands {
            self.append(facts).await;
        }
    }

    /// An event that no engine writes, by the owner; says its position.
    pub async fn raw(&mut self, stream: (&str, &str), event_type: &str, version: &str, payload: &str, metadata: &str) -> u64 {
        let sequence = self.sequences.entry((stream.0.to_owned(), stream.1.to_owned())).or_default();
        *sequence += 1;
        let row = sqlx::query(
            "insert into public.events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
             values ($1, $2, $3, $4, $5, $6::text::json, $7::text::json) returning position",
        );
        let row = row.bind(stream.0).bind(stream.1).bind(i64::try_from(*sequence).unwrap()).bind(event_type).bind(version);
        let row = row.bind(payload).bind(metadata).fetch_one(&mut self.database.owner().await).await.unwrap();
        self.head = row.get::<i64, _>("position").unsigned_abs();
        self.head
    }

    /// Brings every projection up to the head, in the foreground.
    pub async fn catch_up(&self) {
        for projection in leasehold_projections::all() {
            assert_eq!(catch_up(&self.log, &projection).await.unwrap(), self.head);
        }
    }

    /// How many rows each table of the database has.
    pub async fn counts(&self) -> BTreeMap<String, i64> {
        let tables = "select table_schema || '.' || table_name from information_schema.tables
                      where table_schema not in ('pg_catalog', 'information_schema')";
        let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut self.database.owner().await).await.unwrap();
        let mut counts = BTreeMap::new();
        for table in tables {
            let count = format!("select count(*) from {table}");
            let count = sqlx::query_scalar(&count).fetch_one(&mut self.database.owner().await).await.unwrap();
            counts.insert(table, count);
        }
        counts
    }

    /// Every row of every projection, as text.
    pub async fn rows(&self) -> Vec<String> {
        let mut all = Vec::new();
        for projection in leasehold_projections::all() {
            for table in projection.tables() {
                let order = table.key.join(", ");
                let select = format!("select row_to_json(t)::text from {} t order by {order}", table.view());
                let rows: Vec<String> = sqlx::query_scalar(&select).fetch_all(self.log.pool()).await.unwrap();
                all.extend(rows.into_iter().map(|row| format!("{} {row}", table.name)));
            }
        }
        all
    }
}
