use leasehold_aggregates::ledger::EntryStatus;
use sqlx::{PgConnection, Row};

use crate::runs::word;

/// How many targets were not given back, by status. Their number, and not that of all targets, is what this costs.
pub async fn unresolved(connection: &mut PgConnection) -> Result<Vec<(EntryStatus, u64)>, sqlx::Error> {
    let rows =
        sqlx::query("select status, count(*) as targets from projections.ledger_v1 where status <> 'reverted' group by status");
    let rows = rows.fetch_all(connection).await?;
    rows.iter().map(|row| Ok((word(row, "status")?, row.try_get::<i64, _>("targets")?.unsigned_abs()))).collect()
}
