//! What lies where in the log, without what it says: for whoever looks at much and needs little of it.

use chrono::{DateTime, Utc};
use sqlx::FromRow;

use super::Log;
use super::error::{LogError, place, stored};
use super::stream::StreamId;

/// An event's place, name and instant. Its payload is not looked at, so one that nobody can read stands in nobody's way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventHead {
    pub position: u64,
    pub stream: StreamId,
    pub event_type: String,
    pub event_version: String,
    /// The command's instant by the engine's clock; where a writer told none, the instant of recording.
    pub at: DateTime<Utc>,
}

#[derive(FromRow)]
struct Stored {
    position: i64,
    aggregate_type: String,
    aggregate_id: String,
    event_type: String,
    event_version: String,
    told: Option<String>,
    recorded_at: DateTime<Utc>,
}

impl Log {
    /// What lies past `position`, in order, `limit` at most.
    pub async fn heads_after(&self, position: u64, limit: u32) -> Result<Vec<EventHead>, LogError> {
        let rows: Vec<Stored> = sqlx::query_as(
            "select position, aggregate_type, aggregate_id, event_type, event_version, metadata ->> 'at' as told, recorded_at
             from public.events where position > $1 order by position limit $2",
        )
        .bind(stored(position))
        .bind(i64::from(limit))
        .fetch_all(self.pool())
        .await?;
        Ok(rows.into_iter().map(head).collect())
    }

    /// The ids of every stream of this kind; meant for kinds of which there are few.
    pub async fn stream_ids(&self, aggregate_type: &str) -> Result<Vec<String>, LogError> {
        let ids = sqlx::query_scalar("select distinct aggregate_id from public.events where aggregate_type = $1 order by 1");
        Ok(ids.bind(aggregate_type).fetch_all(self.pool()).await?)
    }

    /// Where in the log the event of this sequence lies; none where the stream has none.
    pub async fn position_of(&self, stream: &StreamId, sequence: u64) -> Result<Option<u64>, LogError> {
        let position = sqlx::query_scalar::<_, i64>(
            "select position from public.events where aggregate_type = $1 and aggregate_id = $2 and sequence = $3",
        );
        let position = position.bind(&stream.aggregate_type).bind(&stream.aggregate_id).bind(stored(sequence));
        Ok(position.fetch_optional(self.pool()).await?.map(place))
    }
}

fn head(row: Stored) -> EventHead {
    let told = row.told.and_then(|at| DateTime::parse_from_rfc3339(&at).ok());
    EventHead {
        position: place(row.position),
        stream: StreamId::new(row.aggregate_type, row.aggregate_id),
        event_type: row.event_type,
        event_version: row.event_version,
        at: told.map_or(row.recorded_at, |at| at.to_utc()),
    }
}
