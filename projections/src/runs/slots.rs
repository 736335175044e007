//! The runs of slots, for the account of what happened and what did not.

use chrono::{DateTime, Utc};
use leasehold_aggregates::run::RunStatus;
use leasehold_aggregates::zones::DstAdjusted;
use serde_json::Value;
use sqlx::{PgPool, Row};

use super::{NotRun, word};
use crate::ReadFault;

/// The run of one slot.
#[derive(Debug, Clone, PartialEq)]
pub struct SlotRun {
    pub run_id: String,
    pub definition_id: String,
    pub slug: String,
    /// When its definition was archived, and by whom.
    pub archived: Option<(DateTime<Utc>, String)>,
    pub version: u64,
    pub title: String,
    pub slot: String,
    /// The instant that the schedule gives the slot.
    pub slot_at: DateTime<Utc>,
    pub scheduled_for: DateTime<Utc>,
    pub moved_from: Option<DateTime<Utc>>,
    pub timezone: String,
    pub dst_adjusted: Option<DstAdjusted>,
    pub status: RunStatus,
    pub started_at: Option<DateTime<Utc>>,
    pub not_run: Option<NotRun>,
    pub position: u64,
}

/// The runs whose slots the schedule has from `from` on and before `to`, of one definition or of all, the oldest first: of
/// several runs of one slot, each was made after the one before it had been cancelled.
pub async fn in_slots(
    pool: &PgPool,
    definition_id: Option<&str>,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<SlotRun>, ReadFault> {
    let rows = sqlx::query(
        "select r.id, r.definition_id, r.version, r.title, r.slot, r.slot_at, r.scheduled_for, r.moved_from, r.timezone,
                r.dst_adjusted, r.status, r.started_at, r.not_run, r.position, coalesce(d.slug, '') as slug, d.archived_at,
                d.archived_by
         from projections.runs_v2 r left join projections.definitions_v2 d on d.id = r.definition_id
         where r.slot_at >= $1 and r.slot_at < $2 and ($3::text is null or r.definition_id = $3)
         order by (r.status = 'cancelled' and r.started_at is not null) desc, r.started_at nulls last",
    );
    let rows = rows.bind(from).bind(to).bind(definition_id).fetch_all(pool).await?;
    let read = |row: &sqlx::postgres::PgRow| -> Result<SlotRun, sqlx::Error> {
        let not_run: Option<Value> = row.try_get("not_run")?;
        let not_run = not_run.map(serde_json::from_value).transpose();
        let not_run = not_run.map_err(|source| sqlx::Error::ColumnDecode { index: "not_run".into(), source: source.into() })?;
        Ok(SlotRun {
            run_id: row.try_get("id")?,
            definition_id: row.try_get("definition_id")?,
            slug: row.try_get("slug")?,
            archived: row.try_get::<Option<_>, _>("archived_at")?.zip(row.try_get("archived_by")?),
            version: row.try_get::<i64, _>("version")?.unsigned_abs(),
            title: row.try_get("title")?,
            slot: row.try_get("slot")?,
            slot_at: row.try_get("slot_at")?,
            scheduled_for: row.try_get("scheduled_for")?,
            moved_from: row.try_get("moved_from")?,
            timezone: row.try_get("timezone")?,
            dst_adjusted: word(row, "dst_adjusted")?,
            status: word(row, "status")?,
            started_at: row.try_get("started_at")?,
            not_run,
            position: row.try_get::<i64, _>("position")?.unsigned_abs(),
        })
    };
    Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
}
