//! Staged items: commands with a due instant. An append stages them, the append that carries them out unstages them.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::{PgConnection, Row, postgres::PgRow};
use uuid::{Uuid, uuid};

use super::Log;
use super::append::AppendError;
use super::error::LogError;
use super::stream::StreamId;

/// Namespace of the ids of staged items. It never changes: an id is derived again wherever it is needed.
const STAGED: Uuid = uuid!("7d1f4a0e-3c52-5b1b-9f63-0a4be2c8d951");

/// A decision that falls due at an instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Staged {
    pub id: Uuid,
    /// The stream that it concerns.
    pub stream: StreamId,
    /// What is to be decided.
    pub kind: String,
    /// Not before this instant, by the engine's clock.
    pub due_at: DateTime<Utc>,
    /// What the decision needs beside the stream.
    pub payload: Value,
}

impl Staged {
    /// The id of the item of `kind` that the event at `sequence` of `stream` causes: the same cause has the same id.
    pub fn id_for(stream: &StreamId, sequence: u64, kind: &str) -> Uuid {
        Uuid::new_v5(&STAGED, format!("{stream}\n{sequence}\n{kind}").as_bytes())
    }
}

impl Log {
    /// The items due at `now`, the longest overdue first, `limit` at most.
    pub async fn due(&self, now: DateTime<Utc>, limit: u32) -> Result<Vec<Staged>, LogError> {
        self.due_besides(now, limit, &[]).await
    }

    /// The same without the items of `left_out`, so that what nobody can carry out hides nothing behind it.
    pub async fn due_besides(&self, now: DateTime<Utc>, limit: u32, left_out: &[Uuid]) -> Result<Vec<Staged>, LogError> {
        let rows = sqlx::query(
            "select id, aggregate_type, aggregate_id, kind, due_at, payload from public.staged
             where due_at <= $1 and id <> all($3) order by due_at, id limit $2",
        );
        decode(rows.bind(now).bind(i64::from(limit)).bind(left_out).fetch_all(self.pool()).await?)
    }

    /// The instant at which the next item falls due, or fell; none when nothing is staged.
    pub async fn next_due(&self) -> Result<Option<DateTime<Utc>>, LogError> {
        let earliest = sqlx::query_scalar("select min(due_at) from public.staged").fetch_one(self.pool()).await?;
        Ok(earliest)
    }

    /// The ends of grace that are staged for runs of one definition, in order of their instants. A run that has begun may
    /// be among them.
    pub async fn graces_of(&self, definition_id: &str) -> Result<Vec<Staged>, LogError> {
        let rows = sqlx::query(
            "select id, aggregate_type, aggregate_id, kind, due_at, payload from public.staged
             where kind = 'grace_end' and payload ->> 'definition' = $1 order by due_at, id",
        );
        decode(rows.bind(definition_id).fetch_all(self.pool()).await?)
    }

    /// The definitions that have anything ahead: a look, or a run that may not have begun.
    pub async fn definitions_ahead(&self) -> Result<Vec<String>, LogError> {
        let ids = sqlx::query_scalar(
            "select aggregate_id as id from public.staged where aggregate_type = 'definition'
             union select payload ->> 'definition' from public.staged where kind = 'grace_end' and payload ->> 'definition' <> ''
             order by id",
        );
        Ok(ids.fetch_all(self.pool()).await?)
    }

    /// The earliest due instant past `now`; none if nothing later is staged.
    pub async fn next_due_after(&self, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, LogError> {
        let earliest = sqlx::query_scalar("select min(due_at) from public.staged where due_at > $1").bind(now);
        Ok(earliest.fetch_one(self.pool()).await?)
    }

    /// All items that concern `stream`, by due instant.
    pub async fn staged_for(&self, stream: &StreamId) -> Result<Vec<Staged>, LogError> {
        let rows = sqlx::query(
            "select id, aggregate_type, aggregate_id, kind, due_at, payload from public.staged
             where aggregate_type = $1 and aggregate_id = $2 order by due_at, id",
        );
        decode(rows.bind(&stream.aggregate_type).bind(&stream.aggregate_id).fetch_all(self.pool()).await?)
    }

    /// Drops an item that the stream has moved past, without an event. False when it was gone already.
    pub async fn drop_staged(&self, id: Uuid) -> Result<bool, LogError> {
        let gone = sqlx::query("delete from public.staged where id = $1").bind(id).execute(self.pool()).await?;
        Ok(gone.rows_affected() == 1)
    }
}

pub(super) async fn stage(connection: &mut PgConnection, items: &[Staged]) -> Result<(), AppendError> {
    for item in items {
        let staged = sqlx::query(
            "insert into public.staged (id, aggregate_type, aggregate_id, kind, due_at, payload)
             values ($1, $2, $3, $4, $5, $6::text::json) on conflict do nothing",
        )
        .bind(item.id)
        .bind(&item.stream.aggregate_type)
        .bind(&item.stream.aggregate_id)
        .bind(&item.kind)
        .bind(item.due_at)
        .bind(item.payload.to_string())
        .execute(&mut *connection)
        .await?;
        if staged.rows_affected() != 1 {
            let (key, why) = (item.id.to_string(), "is staged already".to_owned());
            return Err(AppendError::RowConflict { row: "staged item", key, why });
        }
    }
    Ok(())
}

pub(super) async fn unstage(connection: &mut PgConnection, ids: &[Uuid]) -> Result<(), AppendError> {
    for id in ids {
        let gone = sqlx::query("delete from public.staged where id = $1").bind(id).execute(&mut *connection).await?;
        if gone.rows_affected() != 1 {
            return Err(AppendError::Unstaged(*id));
        }
    }
    Ok(())
}

fn decode(rows: Vec<PgRow>) -> Result<Vec<Staged>, LogError> {
    let item = |row: PgRow| {
        Ok(Staged {
            id: row.try_get("id")?,
            stream: StreamId::new(row.try_get::<String, _>("aggregate_type")?, row.try_get::<String, _>("aggregate_id")?),
            kind: row.try_get("kind")?,
            due_at: row.try_get("due_at")?,
            payload: row.try_get("payload")?,
        })
    };
    rows.into_iter().map(item).collect()
}
