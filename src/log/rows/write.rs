//! Writing the rows of an append, each of which must find things as the append expects them.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;

use super::{RowWrite, erase};
use crate::log::append::AppendError;
use crate::log::error::stored;

pub(in crate::log) async fn write(connection: &mut PgConnection, rows: &[RowWrite]) -> Result<(), AppendError> {
    for row in rows {
        match row {
            RowWrite::Draft { definition_id, expected_revision, body, by, at } => {
                let draft = Draft { definition_id, body, by, at };
                save_draft(connection, draft, *expected_revision).await?;
            }
            RowWrite::DropDraft { definition_id, expected_revision } => {
                drop_draft(connection, definition_id, *expected_revision).await?;
            }
            RowWrite::SeriesIsEmpty { series_id } => series_is_empty(connection, series_id).await?,
            RowWrite::Note { id, salt, body, by, at } => {
                let note = sqlx::query(
                    "insert into public.notes (id, salt, body, written_by, written_at)
                     select $1, case when gone then null else $2::bytea end, case when gone then null else $3::text end, $4, $5
                     from (select exists (select from public.accounts where account_id = $4 and erased_at is not null)) as writer (gone)
                     on conflict do nothing",
                );
                let written = note.bind(id).bind(salt).bind(body).bind(by).bind(at).execute(&mut *connection).await?;
                one(written.rows_affected(), "note", || id.to_string(), "is written already")?;
            }
            RowWrite::Account { account_id, name, role, disabled } => {
                let account = sqlx::query(
                    "insert into public.accounts (account_id, name, role, disabled) values ($1, $2, $3, $4)
                     on conflict (account_id) do update
                     set name = excluded.name, role = excluded.role, disabled = excluded.disabled",
                );
                account.bind(account_id).bind(name).bind(role).bind(disabled).execute(&mut *connection).await?;
            }
            RowWrite::Token { digest, account_id, label } => {
                let token = sqlx::query(
                    "insert into public.account_tokens (digest, account_id, label)
                     select $1, a.account_id, $3 from public.accounts a where a.account_id = $2
                     on conflict do nothing",
                );
                let written = token.bind(digest).bind(account_id).bind(label).execute(&mut *connection).await?;
                let why = "cannot be given out: it exists, or its account does not";
                one(written.rows_affected(), "token", || label.clone(), why)?;
            }
            RowWrite::RevokeToken { digest } => {
                let token = sqlx::query("update public.account_tokens set revoked = true where digest = $1 and not revoked");
                let written = token.bind(digest).execute(&mut *connection).await?;
                one(written.rows_affected(), "token", || hex::encode(digest), "opens nothing already")?;
            }
            RowWrite::EraseAccount { account_id, at } => erase::account(connection, account_id, at).await?,
            RowWrite::LinkMember { member, of, to } => {
                let link = sqlx::query(
                    "update public.members set account_id = $3 where member_id = $1 and account_id is not distinct from $2",
                );
                let linked = link.bind(member).bind(of).bind(to).execute(&mut *connection).await?;
                one(linked.rows_affected(), "member", || member.to_string(), "is not whose it was when that was read")?;
            }
            RowWrite::EraseMember { member } => {
                let erase = "update public.members set member_key = null where member_id = $1 and member_key is not null";
                let erased = sqlx::query(erase).bind(member).execute(&mut *connection).await?;
                one(erased.rows_affected(), "member", || member.to_string(), "is erased already")?;
            }
            RowWrite::BlankNotes { written_by, expected } => erase::notes(connection, written_by, *expected).await?,
        }
    }
    Ok(())
}

struct Draft<'a> {
    definition_id: &'a str,
    body: &'a Value,
    by: &'a str,
    at: &'a DateTime<Utc>,
}

async fn save_draft(connection: &mut PgConnection, draft: Draft<'_>, expected: u64) -> Result<(), AppendError> {
    let statement = if expected == 0 {
        "insert into public.drafts (definition_id, revision, body, changed_by, changed_at)
         values ($1, $2 + 1, $3::text::json, $4, $5) on conflict do nothing"
    } else {
        "update public.drafts set revision = revision + 1, body = $3::text::json, changed_by = $4, changed_at = $5
         where definition_id = $1 and revision = $2"
    };
    let written = sqlx::query(statement)
        .bind(draft.definition_id)
        .bind(stored(expected))
        .bind(draft.body.to_string())
        .bind(draft.by)
        .bind(draft.at)
        .execute(connection)
        .await?;
    let why = || format!("is not at revision {expected} any more");
    one(written.rows_affected(), "draft", || draft.definition_id.to_owned(), &why())
}

async fn drop_draft(connection: &mut PgConnection, definition_id: &str, expected: u64) -> Result<(), AppendError> {
    let gone = sqlx::query("delete from public.drafts where definition_id = $1 and revision = $2")
        .bind(definition_id)
        .bind(stored(expected))
        .execute(connection)
        .await?;
    let why = format!("is not at revision {expected} any more");
    one(gone.rows_affected(), "draft", || definition_id.to_owned(), &why)
}

async fn series_is_empty(connection: &mut PgConnection, series_id: &str) -> Result<(), AppendError> {
    let left = sqlx::query_scalar::<_, i64>("select count(*) from public.drafts where body ->> 'seriesId' = $1");
    let left = left.bind(series_id).fetch_one(connection).await?;
    if left == 0 {
        return Ok(());
    }
    let why = format!("are {left} that name the series, and none was expected");
    Err(AppendError::RowConflict { row: "drafts", key: series_id.to_owned(), why })
}

pub(super) fn one(affected: u64, row: &'static str, key: impl Fn() -> String, why: &str) -> Result<(), AppendError> {
    if affected == 1 {
        return Ok(());
    }
    Err(AppendError::RowConflict { row, key: key(), why: why.to_owned() })
}
