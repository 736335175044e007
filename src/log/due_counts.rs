//! How much is due, for whoever watches.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgConnection, Row};

use super::Log;
use super::error::{LogError, place};

/// Due items that are looked at: where there are more, this many are counted.
pub const COUNTED: u32 = 10_000;

/// The due items of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct DueCount {
    pub kind: String,
    pub due: u64,
    /// Those among them that have been due for longer than was asked.
    pub overdue: u64,
    /// How long the oldest of them has been due.
    pub oldest: Duration,
}

impl Log {
    /// Counts what is due at `now` by kind, [`COUNTED`] items at most, the longest due first.
    pub async fn due_counts(
        connection: &mut PgConnection,
        now: DateTime<Utc>,
        overdue_after: Duration,
    ) -> Result<Vec<DueCount>, LogError> {
        let overdue = TimeDelta::from_std(overdue_after).unwrap_or(TimeDelta::MAX);
        let rows = sqlx::query(
            "select kind, count(*) as due, count(*) filter (where due_at <= $2) as overdue, min(due_at) as oldest
             from (select kind, due_at from public.staged where due_at <= $1 order by due_at, id limit $3) as due
             group by kind order by kind",
        );
        let rows = rows.bind(now).bind(now - overdue).bind(i64::from(COUNTED)).fetch_all(connection).await?;
        let count = |row: sqlx::postgres::PgRow| {
            Ok(DueCount {
                kind: row.try_get("kind")?,
                due: place(row.try_get("due")?),
                overdue: place(row.try_get("overdue")?),
                oldest: (now - row.try_get::<DateTime<Utc>, _>("oldest")?).to_std().unwrap_or_default(),
            })
        };
        rows.into_iter().map(count).collect()
    }
}
