//! Gathering from the log what goes into a bundle.

use chrono::{DateTime, Utc};
use sqlx::FromRow;
use uuid::Uuid;

use super::line::{EventLine, NoteLine};
use super::write::{Contents, write};
use super::{Bundle, BundleFault, notes};
use crate::log::Log;
use crate::log::error::{LogError, stored};
use crate::log::keys::SignKey;
use crate::log::read::{RecordedText, event_columns};
use crate::log::stream::StreamId;

/// What a bundle is to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundleRequest {
    /// What it is about; one of the streams.
    pub subject: StreamId,
    /// The streams that it holds, each from its first event to its last. The opening of the log comes by itself.
    pub streams: Vec<StreamId>,
    /// Whether the notes that events name come along.
    pub notes: bool,
    /// When it is made.
    pub at: DateTime<Utc>,
}

/// Why there is no bundle.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("the log was never opened by an engine: it has no id to be named by")]
    NotOpen,
    #[error("the bundle cannot be written down")]
    Unwritable(#[from] serde_json::Error),
    #[error("what the log holds does not make a bundle that can be checked: {0}")]
    Broken(#[from] BundleFault),
}

#[derive(FromRow)]
struct Row {
    #[sqlx(flatten)]
    event: RecordedText,
    hash: Vec<u8>,
    previous: Option<Vec<u8>>,
}

#[derive(FromRow)]
struct NoteRow {
    id: Uuid,
    salt: Option<Vec<u8>>,
    body: Option<String>,
    written_by: String,
    written_at: DateTime<Utc>,
}

impl Log {
    /// The bytes of a bundle, checked as its readers will check it. Appends nothing; the streams are as they stand at the
    /// head that the header names.
    pub async fn bundle(&self, request: &BundleRequest, key: Option<&SignKey>) -> Result<Vec<u8>, ExportError> {
        let log = self.log_id().await?.ok_or(ExportError::NotOpen)?;
        let head = self.head().await?.ok_or(ExportError::NotOpen)?;
        let events = self.whole_streams(&request.streams, head.position).await.map_err(LogError::from)?;
        let notes = if request.notes { self.notes_of(&events).await? } else { Vec::new() };
        let contents = Contents { log, subject: &request.subject, at: request.at, head: &head, events: &events, notes: &notes };
        let file = write(&contents, key)?;
        Bundle::read(&file)?;
        Ok(file)
    }

    async fn whole_streams(&self, streams: &[StreamId], head: u64) -> Result<Vec<EventLine>, sqlx::Error> {
        let types: Vec<&str> = streams.iter().map(|stream| stream.aggregate_type.as_str()).chain(["log"]).collect();
        let ids: Vec<&str> = streams.iter().map(|stream| stream.aggregate_id.as_str()).chain(["genesis"]).collect();
        let rows: Vec<Row> = sqlx::query_as(concat!(
            "select ",
            event_columns!(),
            ", hash,
                    (select front.hash from public.events front where front.position = e.position - 1) as previous
             from (select distinct * from unnest($1::text[], $2::text[])) as s (aggregate_type, aggregate_id)
             join public.events e using (aggregate_type, aggregate_id)
             where position <= $3
             order by position"
        ))
        .bind(types)
        .bind(ids)
        .bind(stored(head))
        .fetch_all(self.pool())
        .await?;
        Ok(rows.into_iter().map(line).collect())
    }

    async fn notes_of(&self, events: &[EventLine]) -> Result<Vec<NoteLine>, ExportError> {
        let mut named = Vec::new();
        for event in events {
            notes::named(&serde_json::from_str(&event.payload)?, &mut named);
        }
        let ids: Vec<Uuid> = named.into_iter().map(|(id, _)| id).collect();
        let rows: Vec<NoteRow> =
            sqlx::query_as("select id, salt, body, written_by, written_at from public.notes where id = any($1) order by id")
                .bind(ids)
                .fetch_all(self.pool())
                .await
                .map_err(LogError::from)?;
        let line = |row: NoteRow| NoteLine {
            note: row.id,
            salt: row.salt.map(hex::encode),
            body: row.body,
            written_by: row.written_by,
            written_at: row.written_at,
        };
        Ok(rows.into_iter().map(line).collect())
    }
}

fn line(Row { event, hash, previous }: Row) -> EventLine {
    EventLine {
        position: event.position,
        recorded_at: event.recorded_at,
        aggregate_type: event.stream.aggregate_type,
        aggregate_id: event.stream.aggregate_id,
        sequence: event.sequence,
        event_type: event.event_type,
        version: event.event_version,
        payload: event.payload,
        metadata: event.metadata,
        previous: previous.map(hex::encode),
        hash: hex::encode(hash),
    }
}
