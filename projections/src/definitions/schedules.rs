//! Which schedule was in force when: every version's, from its publication to the next or to the archiving.

use chrono::{DateTime, Utc};
use leasehold_aggregates::schedule::Schedule;
use serde_json::Value;
use sqlx::{PgPool, Row};

use crate::ReadFault;

/// The schedule of one version, while it was in force.
#[derive(Debug, Clone, PartialEq)]
pub struct InForceSchedule {
    pub definition_id: String,
    pub slug: String,
    pub title: String,
    pub version: u64,
    pub published_at: DateTime<Utc>,
    /// When the next version was published or the definition archived; none while it is in force.
    pub until: Option<DateTime<Utc>>,
    pub archived_at: Option<DateTime<Utc>>,
    pub archived_by: Option<String>,
    pub schedule: Schedule,
    pub timezone: String,
    pub grace_seconds: u32,
}

/// The schedules that start by themselves and were in force at any instant from `from` on and before `to`, of one
/// definition or of all.
pub async fn schedules(
    pool: &PgPool,
    definition_id: Option<&str>,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<InForceSchedule>, ReadFault> {
    let rows = sqlx::query(
        "select * from (
             select v.definition_id, d.slug, v.title, v.version, v.published_at, d.archived_at, d.archived_by,
                    least(lead(v.published_at) over (partition by v.definition_id order by v.version), d.archived_at) as until,
                    v.content #> '{spec,schedule}' as schedule, v.content ->> 'timezone' as timezone,
                    (v.content ->> 'graceSeconds')::bigint as grace_seconds
             from projections.definition_versions_v2 v join projections.definitions_v2 d on d.id = v.definition_id
             where $1::text is null or v.definition_id = $1) every
         where published_at < $3 and (until is null or until > $2) and schedule ->> 'kind' <> 'manual'
         order by definition_id, version",
    );
    let rows = rows.bind(definition_id).bind(from).bind(to).fetch_all(pool).await?;
    let read = |row: &sqlx::postgres::PgRow| -> Result<InForceSchedule, sqlx::Error> {
        let schedule = serde_json::from_value(row.try_get::<Value, _>("schedule")?);
        Ok(InForceSchedule {
            definition_id: row.try_get("definition_id")?,
            slug: row.try_get("slug")?,
            title: row.try_get("title")?,
            version: row.try_get::<i64, _>("version")?.unsigned_abs(),
            published_at: row.try_get("published_at")?,
            until: row.try_get("until")?,
            archived_at: row.try_get("archived_at")?,
            archived_by: row.try_get("archived_by")?,
            schedule: schedule.map_err(|source| sqlx::Error::ColumnDecode { index: "schedule".into(), source: source.into() })?,
            timezone: row.try_get("timezone")?,
            grace_seconds: u32::try_from(row.try_get::<i64, _>("grace_seconds")?).unwrap_or_default(),
        })
    };
    Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
}
