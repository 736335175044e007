//! Blanking what the rows beside the log say of a person. The rows stay, so that whatever names them finds them; keys of
//! requests, which nothing names, go.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::write::one;
use crate::log::append::AppendError;

pub(super) async fn account(connection: &mut PgConnection, account_id: &str, at: &DateTime<Utc>) -> Result<(), AppendError> {
    let row = sqlx::query(
        "update public.accounts set name = '', disabled = true, erased_at = coalesce(erased_at, $2) where account_id = $1",
    );
    let blanked = row.bind(account_id).bind(at).execute(&mut *connection).await?;
    one(blanked.rows_affected(), "account", || account_id.to_owned(), "is not there")?;
    let members = sqlx::query("update public.members set member_key = null where account_id = $1");
    members.bind(account_id).execute(&mut *connection).await?;
    // The digests stay: a token that was ever in use must not come back as somebody's.
    let tokens = sqlx::query("update public.account_tokens set label = '', revoked = true where account_id = $1");
    tokens.bind(account_id).execute(&mut *connection).await?;
    // Whoever claims a key holds a share of the account's row, so none is claimed behind this.
    let keys = sqlx::query("delete from public.idempotency_keys where account_id = $1");
    keys.bind(account_id).execute(connection).await?;
    Ok(())
}

/// The log's lock is held: no other append writes a note between the counting and the commit.
pub(super) async fn notes(connection: &mut PgConnection, written_by: &str, expected: u64) -> Result<(), AppendError> {
    let notes = sqlx::query("update public.notes set body = null, salt = null where written_by = $1 and body is not null");
    let blanked = notes.bind(written_by).execute(connection).await?.rows_affected();
    if blanked == expected {
        return Ok(());
    }
    let why = format!("are {blanked}, and {expected} were counted");
    Err(AppendError::RowConflict { row: "notes", key: written_by.to_owned(), why })
}
