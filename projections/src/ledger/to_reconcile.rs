//! Whose targets a game is to be asked about.

use sqlx::PgPool;

use leasehold_aggregates::target::PLACEHOLDER;

/// The runs that hold something in the world of this module and scope, and those that have let something go there behind
/// `position`: an older save may have brought it back.
pub async fn runs_to_reconcile(pool: &PgPool, module: &str, scope: &str, position: u64) -> Result<Vec<String>, sqlx::Error> {
    let runs = sqlx::query_scalar(
        "select distinct run_id from projections.ledger_v1
         where module = $1 and scope = $2 and kind <> $3
           and (status in ('confirmed', 'reverting') or (status in ('reverted', 'orphaned') and position > $4))
         order by run_id",
    );
    runs.bind(module).bind(scope).bind(PLACEHOLDER).bind(i64::try_from(position).unwrap_or(i64::MAX)).fetch_all(pool).await
}
