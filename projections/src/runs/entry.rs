//! A run as a calendar tells it.

use chrono::{DateTime, Utc};
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row};

use super::read::summary;
use super::sorted::Shape;
use crate::ReadFault;
use crate::run_view::RunSummary;

/// One run, with what only calendars tell.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEntry {
    pub summary: RunSummary,
    pub phase_label: Option<String>,
    /// Why it was taken off the calendar before it began.
    pub withdrawn: Option<String>,
    /// How often what a calendar says of it has changed.
    pub revision: u64,
    pub revised_at: DateTime<Utc>,
}

pub const ENTRY: Shape<RunEntry> = Shape {
    columns: "r.position, r.definition_id, r.version, r.title, r.scope, r.status, r.health, r.cleanup_status, r.current_phase,
              r.concurrency_key, r.slot, r.scheduled_for, r.moved_from, r.timezone, r.dst_adjusted, r.started_at, r.ended_at, r.rehearsal, r.params,
              r.waiting_steps, r.results_published_at, r.phase_label, r.withdrawn, r.revision, r.revised_at",
    read,
};

fn read(row: &PgRow) -> Result<RunEntry, sqlx::Error> {
    Ok(RunEntry {
        summary: summary(row)?,
        phase_label: row.try_get("phase_label")?,
        withdrawn: row.try_get("withdrawn")?,
        revision: row.try_get::<i64, _>("revision")?.unsigned_abs(),
        revised_at: row.try_get("revised_at")?,
    })
}

/// Which of these occurrences, each a run's id, its definition and its instant, have a run: one of that id, or one of that
/// definition at that instant. Runs that came after the position `stands` are none yet.
pub async fn occupied(
    pool: &PgPool,
    ids: &[String],
    definitions: &[&str],
    instants: &[DateTime<Utc>],
    stands: u64,
) -> Result<Vec<String>, ReadFault> {
    let found = sqlx::query_scalar::<_, String>(
        "select asked.id from unnest($1::text[], $2::text[], $3::timestamptz[]) as asked (id, definition_id, at)
         where exists (select from projections.runs_v2 r where r.id = asked.id and (r.placed -> 0 ->> 0)::bigint <= $4)
            or exists (select from projections.runs_v2 r where r.definition_id = asked.definition_id
                       and r.scheduled_for = asked.at and (r.placed -> 0 ->> 0)::bigint <= $4)",
    );
    let stands = i64::try_from(stands).unwrap_or(i64::MAX);
    Ok(found.bind(ids).bind(definitions).bind(instants).bind(stands).fetch_all(pool).await?)
}
