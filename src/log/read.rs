//! Reading: one stream, or the whole log in order of positions.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::{FromRow, Row, postgres::PgRow};
use uuid::Uuid;

use super::Log;
use super::append::Appended;
use super::error::{LogError, place, stored};
use super::stream::{Head, Recorded, StreamId};

/// The columns of [`RecordedText`], in its order, to select first.
macro_rules! event_columns {
    () => {
        "position, recorded_at, aggregate_type, aggregate_id, sequence, event_type, event_version, payload::text, metadata::text"
    };
}
pub(super) use event_columns;

/// An event with its texts undecoded, as they were hashed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedText {
    pub position: u64,
    pub recorded_at: DateTime<Utc>,
    pub stream: StreamId,
    pub sequence: u64,
    pub event_type: String,
    pub event_version: String,
    pub payload: String,
    pub metadata: String,
}

/// By place, for there are many of them.
impl FromRow<'_, PgRow> for RecordedText {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            position: place(row.try_get(0)?),
            recorded_at: row.try_get(1)?,
            stream: StreamId { aggregate_type: row.try_get(2)?, aggregate_id: row.try_get(3)? },
            sequence: place(row.try_get(4)?),
            event_type: row.try_get(5)?,
            event_version: row.try_get(6)?,
            payload: row.try_get(7)?,
            metadata: row.try_get(8)?,
        })
    }
}

impl Log {
    /// The events of streams of these kinds past `after` and up to `through`, in order, undecoded: whatever a raw writer
    /// recorded in other streams, or in these, can be read.
    pub async fn read_texts(&self, kinds: &[&str], after: u64, through: u64) -> Result<Vec<RecordedText>, LogError> {
        let rows = sqlx::query_as(concat!(
            "select ",
            event_columns!(),
            "
             from public.events where position > $1 and position <= $2 and aggregate_type = any($3) order by position",
        ));
        Ok(rows.bind(stored(after)).bind(stored(through)).bind(kinds).fetch_all(self.pool()).await?)
    }

    /// All events of a stream, in order; empty if there is no such stream.
    pub async fn load(&self, stream: &StreamId) -> Result<Vec<Recorded>, LogError> {
        self.load_until(stream, u64::MAX).await
    }

    /// The events of a stream as they stood when the log had reached `position`.
    pub async fn load_until(&self, stream: &StreamId, position: u64) -> Result<Vec<Recorded>, LogError> {
        let rows: Vec<RecordedText> = sqlx::query_as(concat!(
            "select ",
            event_columns!(),
            "
             from public.events where aggregate_type = $1 and aggregate_id = $2 and position <= $3 order by sequence",
        ))
        .bind(&stream.aggregate_type)
        .bind(&stream.aggregate_id)
        .bind(stored(position))
        .fetch_all(self.pool())
        .await?;
        rows.into_iter().map(decode).collect()
    }

    /// The events past `position` (none: from the very first), in order, `limit` at most. Positions are dense and become
    /// visible in order, so a reader that asks again from the last one it got misses nothing.
    pub async fn read_after(&self, position: Option<u64>, limit: u32) -> Result<Vec<Recorded>, LogError> {
        self.texts_after(position, limit).await?.into_iter().map(decode).collect()
    }

    /// The same, undecoded.
    pub(super) async fn texts_after(&self, position: Option<u64>, limit: u32) -> Result<Vec<RecordedText>, LogError> {
        let rows = sqlx::query_as(concat!(
            "select ",
            event_columns!(),
            "
             from public.events where position > $1 order by position limit $2",
        ));
        Ok(rows.bind(position.map_or(-1, stored)).bind(i64::from(limit)).fetch_all(self.pool()).await?)
    }

    /// Where the events of a command came to lie; none if no such command committed.
    pub async fn command(&self, command_id: Uuid) -> Result<Option<Appended>, LogError> {
        let row = sqlx::query_as("select first_position, last_position from public.commands where command_id = $1");
        let row: Option<(i64, i64)> = row.bind(command_id).fetch_optional(self.pool()).await?;
        Ok(row.map(|(first, last)| Appended { first: place(first), last: place(last) }))
    }

    /// The hash of the event at a position; none if the log does not reach so far.
    pub async fn hash_at(&self, position: u64) -> Result<Option<Vec<u8>>, LogError> {
        let hash = sqlx::query_scalar("select hash from public.events where position = $1");
        Ok(hash.bind(stored(position)).fetch_optional(self.pool()).await?)
    }

    /// Where one event of a stream lies; none if the stream does not reach so far.
    pub async fn placed(&self, stream: &StreamId, sequence: u64) -> Result<Option<Head>, LogError> {
        let row = sqlx::query(
            "select position, hash, recorded_at from public.events
             where aggregate_type = $1 and aggregate_id = $2 and sequence = $3",
        );
        let row = row.bind(&stream.aggregate_type).bind(&stream.aggregate_id).bind(stored(sequence));
        row.fetch_optional(self.pool()).await?.map(head).transpose()
    }

    /// The newest event's place; none while the log is empty.
    pub async fn head(&self) -> Result<Option<Head>, LogError> {
        let row = sqlx::query("select position, hash, recorded_at from public.events order by position desc limit 1")
            .fetch_optional(self.pool())
            .await?;
        row.map(head).transpose()
    }
}

#[expect(clippy::needless_pass_by_value, reason = "rows are handed over one by one")]
fn head(row: PgRow) -> Result<Head, LogError> {
    Ok(Head { position: place(row.try_get("position")?), hash: row.try_get("hash")?, recorded_at: row.try_get("recorded_at")? })
}

pub(super) fn decode(text: RecordedText) -> Result<Recorded, LogError> {
    let RecordedText { position, recorded_at, stream, sequence, event_type, event_version, payload, metadata } = text;
    let undecodable = |what: &str, why: serde_json::Error| LogError::Undecodable { position, why: format!("{what}: {why}") };
    let payload: Value = serde_json::from_str(&payload).map_err(|why| undecodable("payload", why))?;
    let metadata: BTreeMap<String, String> = serde_json::from_str(&metadata).map_err(|why| undecodable("metadata", why))?;
    Ok(Recorded { position, recorded_at, stream, sequence, event_type, event_version, payload, metadata })
}
