use leasehold_aggregates::run::{CleanupStatus, Health, RunStatus};
use sqlx::{PgConnection, Row};

use super::word;

/// How many runs have something ahead of them, alike in these three.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenRuns {
    pub status: RunStatus,
    pub health: Health,
    pub cleanup: CleanupStatus,
    pub runs: u64,
}

/// Counts the runs that have not ended, and those that have and are not clean. Their number, and not that of all runs, is
/// what this costs.
pub async fn open(connection: &mut PgConnection) -> Result<Vec<OpenRuns>, sqlx::Error> {
    let rows = sqlx::query(
        "select status, health, cleanup_status, count(*) as runs from projections.runs_v2
         where status in ('scheduled', 'running', 'paused') or cleanup_status in ('pending', 'incomplete')
         group by status, health, cleanup_status",
    );
    let rows = rows.fetch_all(connection).await?;
    let open = |row| {
        Ok(OpenRuns {
            status: word(row, "status")?,
            health: word(row, "health")?,
            cleanup: word(row, "cleanup_status")?,
            runs: row.try_get::<i64, _>("runs")?.unsigned_abs(),
        })
    };
    rows.iter().map(open).collect()
}
