//! Reading the log as it stood at some position.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::Log;
use super::error::{LogError, stored};
use super::read::{RecordedText, decode, event_columns};
use super::stream::{Recorded, StreamId};

impl Log {
    /// The command's instant of the event at a position, by the engine's clock; where a writer told none, the instant of
    /// recording. None past the head.
    pub async fn instant_of(&self, position: u64) -> Result<Option<DateTime<Utc>>, LogError> {
        let row = sqlx::query_as("select recorded_at, metadata::text from public.events where position = $1");
        let row: Option<(DateTime<Utc>, String)> = row.bind(stored(position)).fetch_optional(self.pool()).await?;
        Ok(row.map(|(recorded_at, metadata)| told(&metadata).unwrap_or(recorded_at)))
    }

    /// Those events of a stream that are of these types, in order, as they stood when the log had reached `position`.
    pub async fn load_types(
        &self,
        stream: &StreamId,
        types: &'static [&'static str],
        position: u64,
    ) -> Result<Vec<Recorded>, LogError> {
        let rows: Vec<RecordedText> = sqlx::query_as(concat!(
            "select ",
            event_columns!(),
            "
             from public.events
             where aggregate_type = $1 and aggregate_id = $2 and event_type = any($3) and position <= $4 order by sequence",
        ))
        .bind(&stream.aggregate_type)
        .bind(&stream.aggregate_id)
        .bind(types)
        .bind(stored(position))
        .fetch_all(self.pool())
        .await?;
        rows.into_iter().map(decode).collect()
    }

    /// Ids of the streams of one aggregate, behind `after` and in their order, whose newest event up to `position` is of
    /// none of these types; `limit` at most. Reads that aggregate's streams alone, and no more of them than it takes.
    pub async fn streams_not_ending_in(
        &self,
        aggregate_type: &str,
        types: &'static [&'static str],
        position: u64,
        after: &str,
        limit: u32,
    ) -> Result<Vec<String>, LogError> {
        let ids = sqlx::query_scalar(
            "select aggregate_id from (
                 select distinct on (aggregate_id) aggregate_id, event_type
                 from public.events where aggregate_type = $1 and aggregate_id > $4 and position <= $3
                 order by aggregate_id, sequence desc
             ) newest
             where event_type <> all($2) order by aggregate_id limit $5",
        );
        let ids = ids.bind(aggregate_type).bind(types).bind(stored(position)).bind(after).bind(i64::from(limit));
        Ok(ids.fetch_all(self.pool()).await?)
    }

    /// The newest position at which the log had come no further than `instant`, by the engine's clock; none where even its
    /// first event is later. `head` is where to stop looking.
    ///
    /// Instants order like positions, but for commands that overtook each other while they waited to be recorded. What is
    /// looked at depends on the instant alone, so that the answer stays the same however far the log grows.
    pub async fn reached(&self, instant: DateTime<Utc>, head: u64) -> Result<Option<u64>, LogError> {
        if !self.had_come(0, instant).await? {
            return Ok(None);
        }
        let mut reached = 0;
        for bit in (0..u64::BITS - head.leading_zeros()).rev() {
            let further = reached | (1 << bit);
            if further <= head && self.had_come(further, instant).await? {
                reached = further;
            }
        }
        Ok(Some(reached))
    }

    async fn had_come(&self, position: u64, instant: DateTime<Utc>) -> Result<bool, LogError> {
        Ok(self.instant_of(position).await?.is_some_and(|at| at <= instant))
    }
}

/// The instant that an event's metadata tells; a raw writer may have told none, or nothing that is one.
fn told(metadata: &str) -> Option<DateTime<Utc>> {
    let metadata: Value = serde_json::from_str(metadata).ok()?;
    DateTime::parse_from_rfc3339(metadata.get("at")?.as_str()?).ok().map(|at| at.to_utc())
}
