//! What runs that have not ended want for themselves alone.

use chrono::{DateTime, Utc};
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row};

use crate::ReadFault;

/// One thing that a run wants, from when to when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunWant {
    pub run_id: String,
    pub want: String,
    pub begins: DateTime<Utc>,
    pub ends: DateTime<Utc>,
}

/// What these runs want, as far as they have not ended.
pub async fn wants_of(pool: &PgPool, run_ids: &[&str]) -> Result<Vec<RunWant>, ReadFault> {
    let select = "select run_id, want, begins, ends from projections.run_wants_v2 where run_id = any($1) order by run_id, nth";
    let read = |row: &PgRow| {
        Ok(RunWant {
            run_id: row.try_get("run_id")?,
            want: row.try_get("want")?,
            begins: row.try_get("begins")?,
            ends: row.try_get("ends")?,
        })
    };
    let rows = sqlx::query(select).bind(run_ids).fetch_all(pool).await?;
    Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}

/// A run that wants what was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedBy {
    /// Index of the span that was asked for.
    pub nth: usize,
    pub run_id: String,
    pub definition_id: String,
    pub title: String,
    pub at: DateTime<Utc>,
}

/// Which runs that have not ended want one of these things while it is wanted: the spans' `want`, `begins` and `ends`, in
/// columns. A run that is under way wants it at least until `now`. At most `most` for each span, the earliest first.
pub async fn wanted(
    pool: &PgPool,
    (wants, begins, ends): (&[String], &[DateTime<Utc>], &[DateTime<Utc>]),
    now: DateTime<Utc>,
    most: u32,
) -> Result<Vec<WantedBy>, ReadFault> {
    let rows = sqlx::query(
        "select asked.nth, r.id, r.definition_id, r.title, r.scheduled_for
         from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) with ordinality as asked (want, begins, ends, nth)
         cross join lateral (
             select w.run_id from projections.run_wants_v2 w
             where w.want = asked.want and w.begins < asked.ends
               and (w.ends > asked.begins or w.started and $4 > asked.begins)
             order by w.begins, w.run_id limit $5) w
         join projections.runs_v2 r on r.id = w.run_id
         order by asked.nth, r.scheduled_for, r.id",
    );
    let rows = rows.bind(wants).bind(begins).bind(ends).bind(now).bind(i64::from(most)).fetch_all(pool).await?;
    let read = |row: &PgRow| {
        Ok(WantedBy {
            nth: usize::try_from(row.try_get::<i64, _>("nth")? - 1).unwrap_or_default(),
            run_id: row.try_get("id")?,
            definition_id: row.try_get("definition_id")?,
            title: row.try_get("title")?,
            at: row.try_get("scheduled_for")?,
        })
    };
    Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}
