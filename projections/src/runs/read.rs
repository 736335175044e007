//! Reading the rows of runs.

use chrono::{DateTime, Utc};
use leasehold_aggregates::run::{CleanupStatus, Health, RunStatus};
use leasehold_aggregates::zones::DstAdjusted;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row};

use crate::page::{instant, micros, page};
use crate::run_view::RunSummary;
use crate::{Page, PageRequest, ReadFault};

/// One run in a list, as an answer spells it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunRow {
    #[serde(flatten)]
    pub summary: RunSummary,
    /// The definition's; null while the projection of definitions has not come to it.
    pub slug: Option<String>,
}

/// Which runs; what is absent does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunFilter {
    pub definition_id: Option<String>,
    /// One of these; empty: any.
    pub statuses: Vec<RunStatus>,
    pub scope: Option<String>,
    /// Due at this instant or later.
    pub from: Option<DateTime<Utc>>,
    /// Due before this instant.
    pub to: Option<DateTime<Utc>>,
}

const SELECT: &str = "
select r.id, r.position, r.definition_id, r.version, r.title, r.scope, r.status, r.health, r.cleanup_status, r.current_phase,
       r.concurrency_key, r.scheduled_for, r.timezone, r.dst_adjusted, r.started_at, r.ended_at, r.rehearsal, r.params,
       r.waiting_steps, r.results_published_at, d.slug
from projections.runs_v1 r left join projections.definitions_v1 d on d.id = r.definition_id";

/// The runs that fit, the latest due first.
pub async fn list(pool: &PgPool, filter: &RunFilter, request: &PageRequest) -> Result<Page<RunRow>, ReadFault> {
    let limit = request.rows()?;
    let (after_instant, after_id) = match request.after::<2>(super::NAME)? {
        None => (None, None),
        Some([at, id]) => (Some(instant(&at)?), Some(id)),
    };
    let statuses: Vec<&'static str> = filter.statuses.iter().map(Into::into).collect();
    let select = format!(
        "{SELECT}
         where ($1::text is null or r.definition_id = $1) and (cardinality($2::text[]) = 0 or r.status = any($2))
           and ($3::text is null or r.scope = $3) and ($4::timestamptz is null or r.scheduled_for >= $4)
           and ($5::timestamptz is null or r.scheduled_for < $5)
           and ($6::timestamptz is null or (r.scheduled_for, r.id) < ($6, $7))
         order by r.scheduled_for desc, r.id desc limit $8"
    );
    let rows = sqlx::query(&select)
        .bind(&filter.definition_id)
        .bind(statuses)
        .bind(&filter.scope)
        .bind(filter.from)
        .bind(filter.to)
        .bind(after_instant)
        .bind(after_id)
        .bind(i64::from(limit) + 1)
        .fetch_all(pool)
        .await?;
    let rows = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page(super::NAME, rows, limit, |row: &RunRow| [micros(row.summary.scheduled_for), row.summary.id.clone()]))
}

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

fn read(row: &PgRow) -> Result<RunRow, sqlx::Error> {
    let params: Value = row.try_get("params")?;
    let summary = RunSummary {
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
        scheduled_for: row.try_get("scheduled_for")?,
        timezone: row.try_get("timezone")?,
        dst_adjusted: word::<Option<DstAdjusted>>(row, "dst_adjusted")?,
        started_at: row.try_get("started_at")?,
        ended_at: row.try_get("ended_at")?,
        rehearsal: row.try_get("rehearsal")?,
        params: params.as_object().cloned().unwrap_or_default(),
        waiting_steps: row.try_get::<i64, _>("waiting_steps")?.unsigned_abs(),
        results_published_at: row.try_get("results_published_at")?,
        position: row.try_get::<i64, _>("position")?.unsigned_abs(),
    };
    Ok(RunRow { summary, slug: row.try_get("slug")? })
}

/// A word of a closed set, spelled in the column as in answers.
pub(crate) fn word<T: DeserializeOwned>(row: &PgRow, column: &str) -> Result<T, sqlx::Error> {
    let text: Option<String> = row.try_get(column)?;
    serde_json::from_value(text.map_or(Value::Null, Value::String))
        .map_err(|error| sqlx::Error::ColumnDecode { index: column.to_owned(), source: error.into() })
}
