//! Reading the rows of the ledger.

use chrono::{DateTime, Utc};
use leasehold_aggregates::ledger::EntryStatus;
use leasehold_aggregates::target::{PLACEHOLDER, Target};
use serde::Serialize;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row};

use crate::page::page;
use crate::runs::word;
use crate::{Page, PageRequest, ReadFault};

/// One target, as an answer spells it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LedgerRow {
    /// Name of the target's stream.
    #[serde(skip)]
    pub id: String,
    #[serde(flatten)]
    pub target: Target,
    pub status: EntryStatus,
    pub run_id: String,
    pub step: String,
    pub baseline: Option<String>,
    pub applied: Option<String>,
    pub found: Option<String>,
    pub reason: Option<String>,
    pub lease_until: Option<DateTime<Utc>>,
    pub revert_attempts: u64,
    pub last_error: Option<String>,
    pub held_from: u64,
    pub first_position: u64,
    pub position: u64,
}

/// Which targets; what is absent does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LedgerFilter {
    pub run_id: Option<String>,
    pub module: Option<String>,
    pub scope: Option<String>,
    /// Only what was not given back.
    pub unresolved: bool,
    /// Leave the engine's own placeholders out.
    pub named_only: bool,
}

/// The targets that fit, in the order of their names.
pub async fn list(pool: &PgPool, filter: &LedgerFilter, request: &PageRequest) -> Result<Page<LedgerRow>, ReadFault> {
    let limit = request.rows()?;
    let after = request.after::<1>(super::NAME)?.map(|[id]| id);
    let rows = sqlx::query(
        "select id, position, module, scope, kind, ref, status, run_id, step, baseline, applied, found, reason, lease_until,
                attempts, last_error, held_from, first_position
         from projections.ledger_v1
         where ($1::text is null or run_id = $1) and ($2::text is null or module = $2) and ($3::text is null or scope = $3)
           and (not $4 or status <> 'reverted') and (not $5 or kind <> $6) and ($7::text is null or id > $7)
         order by id limit $8",
    )
    .bind(&filter.run_id)
    .bind(&filter.module)
    .bind(&filter.scope)
    .bind(filter.unresolved)
    .bind(filter.named_only)
    .bind(PLACEHOLDER)
    .bind(after)
    .bind(i64::from(limit) + 1)
    .fetch_all(pool)
    .await?;
    let rows = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page(super::NAME, rows, limit, |row: &LedgerRow| [row.id.clone()]))
}

fn read(row: &PgRow) -> Result<LedgerRow, sqlx::Error> {
    let place = |column: &str| row.try_get::<i64, _>(column).map(i64::unsigned_abs);
    Ok(LedgerRow {
        id: row.try_get("id")?,
        target: Target {
            module: row.try_get("module")?,
            scope: row.try_get("scope")?,
            kind: row.try_get("kind")?,
            reference: row.try_get("ref")?,
        },
        status: word(row, "status")?,
        run_id: row.try_get("run_id")?,
        step: row.try_get("step")?,
        baseline: row.try_get("baseline")?,
        applied: row.try_get("applied")?,
        found: row.try_get("found")?,
        reason: row.try_get("reason")?,
        lease_until: row.try_get("lease_until")?,
        revert_attempts: place("attempts")?,
        last_error: row.try_get("last_error")?,
        held_from: place("held_from")?,
        first_position: place("first_position")?,
        position: place("position")?,
    })
}
