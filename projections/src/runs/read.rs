//! Reading single rows of runs, and the few that somebody who looks wants first.

use leasehold_aggregates::run::{CleanupStatus, Health, RunStatus};
use leasehold_aggregates::zones::DstAdjusted;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row};

use crate::ReadFault;
use crate::run_view::RunSummary;

/// One run in a list, as an answer spells it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunRow {
    #[serde(flatten)]
    pub summary: RunSummary,
    /// The definition's; null while the projection of definitions has not come to it.
    pub slug: Option<String>,
}

const SELECT: &str = "
select r.id, r.position, r.definition_id, r.version, r.title, r.scope, r.status, r.health, r.cleanup_status, r.current_phase,
       r.concurrency_key, r.slot, r.scheduled_for, r.moved_from, r.timezone, r.dst_adjusted, r.started_at, r.ended_at, r.rehearsal, r.params,
       r.waiting_steps, r.results_published_at, d.slug
from projections.runs_v2 r left join projections.definitions_v2 d on d.id = r.definition_id";

/// A part of all runs, in the order in which somebody who looks wants them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Running or paused, the latest start first.
    UnderWay,
    /// Waiting for its instant or for its concurrency key, the soonest due first.
    ToCome,
    /// The latest end first.
    Ended,
}

/// The first `most` runs of one part.
pub async fn part(pool: &PgPool, part: Part, most: u32) -> Result<Vec<RunRow>, ReadFault> {
    let (which, order) = match part {
        Part::UnderWay => ("r.status in ('running', 'paused')", "r.started_at desc, r.id"),
        Part::ToCome => ("r.status = 'scheduled'", "r.scheduled_for, r.id"),
        Part::Ended => ("r.ended_at is not null", "r.ended_at desc, r.id"),
    };
    let select = format!("{SELECT} where {which} order by {order} limit $1");
    let rows = sqlx::query(&select).bind(i64::from(most)).fetch_all(pool).await?;
    Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
}

/// One run; none if there is no such row (yet).
pub async fn find(pool: &PgPool, id: &str) -> Result<Option<RunRow>, ReadFault> {
    let row = sqlx::query(&format!("{SELECT} where r.id = $1")).bind(id).fetch_optional(pool).await?;
    Ok(row.as_ref().map(read).transpose()?)
}

pub(super) fn read(row: &PgRow) -> Result<RunRow, sqlx::Error> {
    Ok(RunRow { summary: summary(row)?, slug: row.try_get("slug")? })
}

pub(super) fn summary(row: &PgRow) -> Result<RunSummary, sqlx::Error> {
    let params: Value = row.try_get("params")?;
    Ok(RunSummary {
        id: row.try_get("id")?,
        definition_id: row.try_get("definition_id")?,
        version: row.try_get::<i64, _>("version")?.unsigned_abs(),
        title: row.try_get("title")?,
        scope: row.try_get("scope")?,
        status: word::<RunStatus>(row, "status")?,
        health: word::<Health>(row, "health")?,
        cleanup_status: word::<CleanupStatus>(row, "cleanup_status")?,
        current_phase: row.try_get("current_phase")?,
        concurrency_key: row.try_get("concurrency_key")?,
        slot: row.try_get("slot")?,
        scheduled_for: row.try_get("scheduled_for")?,
        moved_from: row.try_get("moved_from")?,
        timezone: row.try_get("timezone")?,
        dst_adjusted: word::<Option<DstAdjusted>>(row, "dst_adjusted")?,
        started_at: row.try_get("started_at")?,
        ended_at: row.try_get("ended_at")?,
        rehearsal: row.try_get("rehearsal")?,
        params: params.as_object().cloned().unwrap_or_default(),
        waiting_steps: row.try_get::<i64, _>("waiting_steps")?.unsigned_abs(),
        results_published_at: row.try_get("results_published_at")?,
        position: row.try_get::<i64, _>("position")?.unsigned_abs(),
    })
}

/// A word of a closed set, spelled in the column as in answers.
pub(crate) fn word<T: DeserializeOwned>(row: &PgRow, column: &str) -> Result<T, sqlx::Error> {
    let text: Option<String> = row.try_get(column)?;
    serde_json::from_value(text.map_or(Value::Null, Value::String))
        .map_err(|error| sqlx::Error::ColumnDecode { index: column.to_owned(), source: error.into() })
}
