//! Reading on from a position, with the texts as they are stored.

use chrono::SecondsFormat;
use serde_json::json;
use sqlx::FromRow;

use super::Log;
use super::error::{LogError, stored};
use super::read::{RecordedText, event_columns};
use super::stream::StreamId;

/// What is looked for; unset is everything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    pub event_type: Option<String>,
    pub stream: Option<StreamId>,
}

/// An event as one line of JSON, without an end. Payload and metadata are the stored texts, every digit as it is; only
/// line breaks between their parts have become spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TailLine {
    pub position: u64,
    pub line: String,
}

#[derive(FromRow)]
struct Row {
    #[sqlx(flatten)]
    event: RecordedText,
    hash: Vec<u8>,
}

impl Log {
    /// The events past `after` (none: from the first) that the filter wants, in order, `limit` at most; and the position to
    /// go on from, up to which everything has been looked at.
    pub async fn tail(&self, after: Option<u64>, filter: &Filter, limit: u32) -> Result<(Vec<TailLine>, Option<u64>), LogError> {
        let Some(head) = self.head().await?.map(|head| head.position) else { return Ok((Vec::new(), after)) };
        let rows: Vec<Row> = sqlx::query_as(concat!(
            "select ",
            event_columns!(),
            ", hash
             from public.events
             where position > $1 and position <= $2 and ($3::text is null or event_type = $3)
               and ($4::text is null or (aggregate_type = $4 and aggregate_id = $5))
             order by position limit $6"
        ))
        .bind(after.map_or(-1, stored))
        .bind(stored(head))
        .bind(&filter.event_type)
        .bind(filter.stream.as_ref().map(|stream| &stream.aggregate_type))
        .bind(filter.stream.as_ref().map(|stream| &stream.aggregate_id))
        .bind(i64::from(limit))
        .fetch_all(self.pool())
        .await?;
        let all = rows.len() < limit as usize;
        let lines: Vec<TailLine> = rows.into_iter().map(line).collect();
        let reached = if all { Some(head.max(after.unwrap_or(0))) } else { lines.last().map(|line| line.position) };
        Ok((lines, reached))
    }
}

fn line(row: Row) -> TailLine {
    let event = row.event;
    let envelope = json!({
        "position": event.position,
        "recordedAt": event.recorded_at.to_rfc3339_opts(SecondsFormat::Micros, true),
        "stream": event.stream.to_string(),
        "sequence": event.sequence,
        "type": event.event_type,
        "version": event.event_version,
        "hash": hex::encode(row.hash),
    })
    .to_string();
    // A string of JSON holds no raw line break, so every one of them lies between two parts.
    let flat = |text: String| text.replace(['\n', '\r'], " ");
    let open = envelope.strip_suffix('}').unwrap_or_default();
    let line = format!("{open},\"payload\":{},\"metadata\":{}}}", flat(event.payload), flat(event.metadata));
    TailLine { position: event.position, line }
}
