//! Waiting for the disk after the lock was handed on.

use sqlx::PgExecutor;

/// Returns when everything that was committed before is on disk: the write-ahead log is flushed in its order, and this
/// writes something small of its own at its end, waiting as the session is set to.
pub(super) async fn flush(connection: impl PgExecutor<'_>) -> Result<(), sqlx::Error> {
    sqlx::query("select pg_logical_emit_message(true, 'leasehold', '')").execute(connection).await.map(|_| ())
}
