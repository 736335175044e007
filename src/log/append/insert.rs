//! Stamping an append's events behind the head and inserting them as one statement.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{Append, AppendError};
use crate::log::canonical::Canonical;
use crate::log::error::stored;
use crate::log::stream::Head;

/// The columns of the rows to be, each as one array.
#[derive(Default)]
struct Columns {
    aggregate_type: Vec<String>,
    aggregate_id: Vec<String>,
    sequence: Vec<i64>,
    event_type: Vec<String>,
    event_version: Vec<String>,
    payload: Vec<String>,
    position: Vec<i64>,
    hash: Vec<Vec<u8>>,
}

/// Inserts the events behind `head` and says how many they were. The caller holds the log's lock and has read `head` and
/// `clock` (the database's) under it.
pub(super) async fn events(
    connection: &mut PgConnection,
    append: &Append,
    head: Option<&Head>,
    clock: DateTime<Utc>,
) -> Result<u64, AppendError> {
    let recorded_at = head.map_or(clock, |head| clock.max(head.recorded_at));
    let metadata = metadata(append);
    let columns = stamp(append, head, recorded_at, &metadata);
    if columns.position.is_empty() {
        return Ok(0);
    }
    let count = columns.position.len() as u64;
    sqlx::query(
        "insert into public.events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata,
                                    position, recorded_at, hash)
         select r.aggregate_type, r.aggregate_id, r.sequence, r.event_type, r.event_version, r.payload::json, $7::json,
                r.position, $8, r.hash
         from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $9::bigint[], $10::bytea[])
              as r (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, position, hash)",
    )
    .bind(columns.aggregate_type)
    .bind(columns.aggregate_id)
    .bind(columns.sequence)
    .bind(columns.event_type)
    .bind(columns.event_version)
    .bind(columns.payload)
    .bind(metadata)
    .bind(recorded_at)
    .bind(columns.position)
    .bind(columns.hash)
    .execute(connection)
    .await?;
    Ok(count)
}

fn metadata(append: &Append) -> String {
    let mut metadata = append.metadata.clone();
    metadata.insert("command_id".to_owned(), append.command_id.to_string());
    serde_json::json!(metadata).to_string()
}

fn stamp(append: &Append, head: Option<&Head>, recorded_at: DateTime<Utc>, metadata: &str) -> Columns {
    let mut columns = Columns::default();
    let mut position = head.map_or(0, |head| stored(head.position) + 1);
    let mut front = head.map_or_else(Vec::new, |head| head.hash.clone());
    for write in &append.writes {
        for (sequence, event) in (stored(write.expected) + 1..).zip(&write.events) {
            let payload = event.payload.to_string();
            front = Canonical {
                position,
                recorded_at,
                aggregate_type: &write.stream.aggregate_type,
                aggregate_id: &write.stream.aggregate_id,
                sequence,
                event_type: &event.event_type,
                event_version: &event.event_version,
                payload: &payload,
                metadata,
            }
            .hash(&front);
            columns.aggregate_type.push(write.stream.aggregate_type.clone());
            columns.aggregate_id.push(write.stream.aggregate_id.clone());
            columns.sequence.push(sequence);
            columns.event_type.push(event.event_type.clone());
            columns.event_version.push(event.event_version.clone());
            columns.payload.push(payload);
            columns.position.push(position);
            columns.hash.push(front.clone());
            position += 1;
        }
    }
    columns
}
