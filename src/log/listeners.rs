//! Subscriptions: which stream waits for which type of event.

use std::collections::BTreeSet;

use serde_json::Value;
use sqlx::{PgConnection, Row, postgres::PgRow};
use uuid::Uuid;

use super::Log;
use super::append::AppendError;
use super::error::{LogError, place, stored};
use super::stream::StreamId;

/// One subscription. Type and scope are looked up by index; the filter is the reader's to judge.
#[derive(Debug, Clone, PartialEq)]
pub struct Listener {
    pub id: Uuid,
    /// The stream that waits.
    pub stream: StreamId,
    /// The exact type that it waits for.
    pub event_type: String,
    /// The scope that it waits for; none means any.
    pub scope: Option<String>,
    /// Condition on the context of the event.
    pub filter: Value,
    /// Only events past this position count.
    pub after_position: u64,
}

/// Type and scope, each by one look into the index: with an `or` the planner may read every scope of the type.
pub const LISTENERS: &str = "
    select id, aggregate_type, aggregate_id, event_type, scope, filter, after_position from public.listeners
    where event_type = $1 and scope = $2
    union all
    select id, aggregate_type, aggregate_id, event_type, scope, filter, after_position from public.listeners
    where event_type = $1 and scope is null";

impl Log {
    /// The subscriptions to events of `event_type` in `scope`: those for any scope, and those for this one. By id.
    pub async fn listeners(&self, event_type: &str, scope: Option<&str>) -> Result<Vec<Listener>, LogError> {
        let rows = sqlx::query(LISTENERS).bind(event_type).bind(scope).fetch_all(self.pool()).await?;
        let mut listeners = rows.iter().map(decode).collect::<Result<Vec<_>, _>>()?;
        listeners.sort_by_key(|listener| listener.id);
        Ok(listeners)
    }
}

impl Log {
    /// Those of these types that some subscription waits for, whatever its scope.
    pub async fn awaited(&self, types: &BTreeSet<String>) -> Result<BTreeSet<String>, LogError> {
        let types: Vec<&str> = types.iter().map(String::as_str).collect();
        let awaited = sqlx::query_scalar::<_, String>(
            "select t.name from unnest($1::text[]) as t (name)
             where exists (select from public.listeners l where l.event_type = t.name)",
        );
        Ok(awaited.bind(types).fetch_all(self.pool()).await?.into_iter().collect())
    }
}

impl Log {
    /// Those of these types that some subscription waits for in this scope, by an index look-up for each.
    pub async fn topics(&self, types: &BTreeSet<String>, scope: &str) -> Result<BTreeSet<String>, LogError> {
        let types: Vec<&str> = types.iter().map(String::as_str).collect();
        let topics = sqlx::query_scalar::<_, String>(
            "select t.name from unnest($1::text[]) as t (name)
             where exists (select from public.listeners l where l.event_type = t.name and l.scope = $2)
                or exists (select from public.listeners l where l.event_type = t.name and l.scope is null)",
        );
        Ok(topics.bind(types).bind(scope).fetch_all(self.pool()).await?.into_iter().collect())
    }
}

pub(super) async fn listen(connection: &mut PgConnection, listeners: &[Listener]) -> Result<(), AppendError> {
    for listener in listeners {
        let added = sqlx::query(
            "insert into public.listeners (id, aggregate_type, aggregate_id, event_type, scope, filter, after_position)
             values ($1, $2, $3, $4, $5, $6::text::json, $7) on conflict do nothing",
        )
        .bind(listener.id)
        .bind(&listener.stream.aggregate_type)
        .bind(&listener.stream.aggregate_id)
        .bind(&listener.event_type)
        .bind(&listener.scope)
        .bind(listener.filter.to_string())
        .bind(stored(listener.after_position))
        .execute(&mut *connection)
        .await?;
        if added.rows_affected() != 1 {
            let (key, why) = (listener.id.to_string(), "listens already".to_owned());
            return Err(AppendError::RowConflict { row: "listener", key, why });
        }
    }
    Ok(())
}

pub(super) async fn unlisten(connection: &mut PgConnection, streams: &[StreamId]) -> Result<(), AppendError> {
    for stream in streams {
        sqlx::query("delete from public.listeners where aggregate_type = $1 and aggregate_id = $2")
            .bind(&stream.aggregate_type)
            .bind(&stream.aggregate_id)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

fn decode(row: &PgRow) -> Result<Listener, LogError> {
    Ok(Listener {
        id: row.try_get("id")?,
        stream: StreamId::new(row.try_get::<String, _>("aggregate_type")?, row.try_get::<String, _>("aggregate_id")?),
        event_type: row.try_get("event_type")?,
        scope: row.try_get("scope")?,
        filter: row.try_get("filter")?,
        after_position: place(row.try_get("after_position")?),
    })
}
