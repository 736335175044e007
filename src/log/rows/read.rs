//! Reading the rows beside the log.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row};
use uuid::Uuid;

use crate::log::Log;
use crate::log::error::{LogError, place};

/// The code with which PostgreSQL refuses what a role may not do.
const NOT_PERMITTED: &str = "42501";

/// The work in progress on a definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub definition_id: String,
    /// Counts the edits, from 1.
    pub revision: u64,
    pub body: Value,
    pub changed_by: String,
    pub changed_at: DateTime<Utc>,
}

/// Who an account is and what it may do, as of its last append.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct AccountRow {
    pub account_id: String,
    pub name: String,
    pub role: String,
    pub disabled: bool,
    /// Whether its person was erased: the name is empty then.
    pub erased: bool,
}

/// A text beside the log.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct Note {
    pub id: Uuid,
    /// None once erased.
    pub body: Option<String>,
    pub written_by: String,
    pub written_at: DateTime<Utc>,
}

impl Log {
    /// The definition's draft; none if it has none.
    pub async fn draft(&self, definition_id: &str) -> Result<Option<Draft>, LogError> {
        let row = sqlx::query(
            "select definition_id, revision, body, changed_by, changed_at from public.drafts where definition_id = $1",
        );
        let row = row.bind(definition_id).fetch_optional(self.pool()).await?;
        row.as_ref().map(draft).transpose()
    }

    /// The drafts that name this series.
    pub async fn drafts_in_series(&self, series_id: &str) -> Result<Vec<Draft>, LogError> {
        let rows = sqlx::query(
            "select definition_id, revision, body, changed_by, changed_at from public.drafts
             where body ->> 'seriesId' = $1 order by definition_id",
        );
        rows.bind(series_id).fetch_all(self.pool()).await?.iter().map(draft).collect()
    }

    /// How many drafts name this series.
    pub async fn count_drafts_in_series(&self, series_id: &str) -> Result<u64, LogError> {
        let count = sqlx::query_scalar("select count(*) from public.drafts where body ->> 'seriesId' = $1");
        Ok(place(count.bind(series_id).fetch_one(self.pool()).await?))
    }

    /// The account; none if there is no such id.
    pub async fn account(&self, account_id: &str) -> Result<Option<AccountRow>, LogError> {
        let row = sqlx::query_as(
            "select account_id, name, role, disabled, erased_at is not null as erased from public.accounts where account_id = $1",
        );
        Ok(row.bind(account_id).fetch_optional(self.pool()).await?)
    }

    /// The account for which the token with this sha256 speaks now; none if it is unknown or revoked. A disabled account
    /// is found and says so.
    pub async fn account_of_token(&self, digest: &[u8]) -> Result<Option<AccountRow>, LogError> {
        let row = sqlx::query_as(
            "select a.account_id, a.name, a.role, a.disabled, a.erased_at is not null as erased
             from public.account_tokens t join public.accounts a using (account_id)
             where t.digest = $1 and not t.revoked",
        );
        Ok(row.bind(digest).fetch_optional(self.pool()).await?)
    }

    /// How many notes of this actor still hold their text.
    pub async fn notes_written_by(&self, actor: &str) -> Result<u64, LogError> {
        let count = sqlx::query_scalar("select count(*) from public.notes where written_by = $1 and body is not null");
        Ok(place(count.bind(actor).fetch_one(self.pool()).await?))
    }

    /// The notes with these ids, in no order; ids without a note are left out. A role that may not read what people wrote
    /// (the auditor's) is given none.
    pub async fn notes(&self, ids: &[Uuid]) -> Result<Vec<Note>, LogError> {
        let rows = sqlx::query_as("select id, body, written_by, written_at from public.notes where id = any($1)");
        match rows.bind(ids).fetch_all(self.pool()).await {
            Err(sqlx::Error::Database(refused)) if refused.code().as_deref() == Some(NOT_PERMITTED) => Ok(Vec::new()),
            other => Ok(other?),
        }
    }
}

fn draft(row: &PgRow) -> Result<Draft, LogError> {
    Ok(Draft {
        definition_id: row.try_get("definition_id")?,
        revision: place(row.try_get("revision")?),
        body: row.try_get("body")?,
        changed_by: row.try_get("changed_by")?,
        changed_at: row.try_get("changed_at")?,
    })
}
