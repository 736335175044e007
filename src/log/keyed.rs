//! Requests under a key of their sender's, which may be sent again.
//!
//! What makes a request happen once is not this table but its command's id: the row gives it one before anything is done, and
//! whoever carries the request out, first or again, appends under that id. The claim is only there so that nobody works on what
//! somebody else is at; it is short, kept alive while its holder is, and judged by the database's clock, so that a dead
//! engine's is soon anybody's. A holder that slept past it may find that another has finished: the first recorded answer counts.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row};
use uuid::Uuid;

use super::Log;
use super::error::LogError;

/// A request, as far as a repeat must be the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedRequest {
    pub account_id: String,
    /// 1 to 255 bytes.
    pub key: String,
    /// The route that it was posted to, for people who look at the table.
    pub route: &'static str,
    /// sha256 of everything that tells it from another request.
    pub digest: [u8; 32],
}

/// What was answered, as it is answered again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedAnswer {
    /// 200 to 499.
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// What is to be done with a request under a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyedClaim {
    /// Carry it out as this command.
    First(Uuid),
    /// Somebody was at it and has left no answer: carry it out as this command, which may be done already.
    Again(Uuid),
    /// Somebody is at it.
    InFlight,
    /// The key is another request's.
    Other,
    /// It was answered.
    Answered(KeyedAnswer),
    /// The account's person was erased.
    Erased,
}

/// How often a row is looked for that goes away between two looks.
const LOOKS: u32 = 5;

impl Log {
    /// Claims the request for `term`, or says why not. `command_id` is what it becomes if its key is new, or was begun at
    /// `forgotten` or before.
    pub async fn claim_key(
        &self,
        request: &KeyedRequest,
        command_id: Uuid,
        (at, forgotten): (DateTime<Utc>, DateTime<Utc>),
        term: Duration,
    ) -> Result<KeyedClaim, LogError> {
        for _ in 0..LOOKS {
            if let Some(command) = self.begin_key(request, command_id, (at, forgotten), term).await? {
                return Ok(KeyedClaim::First(command));
            }
            if let Some(command) = self.take_over_key(request, term).await? {
                return Ok(KeyedClaim::Again(command));
            }
            if let Some(found) = self.look_at_key(request).await? {
                return Ok(found);
            }
        }
        Ok(KeyedClaim::Erased)
    }

    async fn begin_key(
        &self,
        request: &KeyedRequest,
        command_id: Uuid,
        (at, forgotten): (DateTime<Utc>, DateTime<Utc>),
        term: Duration,
    ) -> Result<Option<Uuid>, LogError> {
        let row = sqlx::query_scalar(
            "insert into public.idempotency_keys as k (account_id, key, route, digest, command_id, begun_at, claimed_until)
             select a.account_id, $2, $3, $4, $5, $6, clock_timestamp() + $7 * interval '1 second'
             from public.accounts a where a.account_id = $1 and a.erased_at is null for share
             on conflict (account_id, key) do update
             set route = excluded.route, digest = excluded.digest, command_id = excluded.command_id,
                 begun_at = excluded.begun_at, claimed_until = excluded.claimed_until, status = null, headers = null, body = null
             where k.begun_at <= $8
             returning k.command_id",
        );
        let row = row.bind(&request.account_id).bind(&request.key).bind(request.route).bind(&request.digest[..]);
        let row = row.bind(command_id).bind(at).bind(term.as_secs_f64()).bind(forgotten);
        Ok(row.fetch_optional(self.pool()).await?)
    }

    async fn take_over_key(&self, request: &KeyedRequest, term: Duration) -> Result<Option<Uuid>, LogError> {
        let row = sqlx::query_scalar(
            "update public.idempotency_keys set claimed_until = clock_timestamp() + $4 * interval '1 second'
             where account_id = $1 and key = $2 and digest = $3 and status is null and claimed_until <= clock_timestamp()
             returning command_id",
        );
        let row = row.bind(&request.account_id).bind(&request.key).bind(&request.digest[..]).bind(term.as_secs_f64());
        Ok(row.fetch_optional(self.pool()).await?)
    }

    /// What its row says now; none if it has none.
    async fn look_at_key(&self, request: &KeyedRequest) -> Result<Option<KeyedClaim>, LogError> {
        let row = sqlx::query(
            "select digest, status, headers, body, claimed_until > clock_timestamp() as claimed
             from public.idempotency_keys where account_id = $1 and key = $2",
        );
        let row = row.bind(&request.account_id).bind(&request.key).fetch_optional(self.pool()).await?;
        let Some(row) = row else { return Ok(None) };
        if row.try_get::<&[u8], _>("digest")? != request.digest {
            return Ok(Some(KeyedClaim::Other));
        }
        if row.try_get::<Option<i16>, _>("status")?.is_some() {
            return Ok(Some(KeyedClaim::Answered(KeyedAnswer::from_row(&row)?)));
        }
        // A claim that has run out in between is taken over at the next look.
        Ok(row.try_get::<bool, _>("claimed")?.then_some(KeyedClaim::InFlight))
    }

    /// Keeps the claim on a command that is still being carried out.
    pub async fn keep_key(&self, command_id: Uuid, request: &KeyedRequest, term: Duration) -> Result<(), LogError> {
        let row = sqlx::query(
            "update public.idempotency_keys set claimed_until = clock_timestamp() + $4 * interval '1 second'
             where account_id = $1 and key = $2 and command_id = $3 and status is null",
        );
        let row = row.bind(&request.account_id).bind(&request.key).bind(command_id).bind(term.as_secs_f64());
        row.execute(self.pool()).await?;
        Ok(())
    }

    /// Records the answer, unless one was recorded before; the one that counts, if the row is still there.
    pub async fn answer_key(
        &self,
        command_id: Uuid,
        request: &KeyedRequest,
        answer: &KeyedAnswer,
    ) -> Result<Option<KeyedAnswer>, LogError> {
        let row = sqlx::query_as(
            "update public.idempotency_keys k
             set status = coalesce(k.status, $4),
                 headers = case when k.status is null then $5::text::json else k.headers end,
                 body = case when k.status is null then $6 else k.body end
             where account_id = $1 and key = $2 and command_id = $3 returning status, headers, body",
        );
        let row = row.bind(&request.account_id).bind(&request.key).bind(command_id);
        let row = row.bind(i16::try_from(answer.status).unwrap_or(i16::MAX));
        let row = row.bind(serde_json::json!(answer.headers).to_string()).bind(&answer.body);
        Ok(row.fetch_optional(self.pool()).await?)
    }

    /// Deletes what was begun at `forgotten` or before; how many there were.
    pub async fn forget_keys(&self, forgotten: DateTime<Utc>) -> Result<u64, LogError> {
        let gone = sqlx::query("delete from public.idempotency_keys where begun_at <= $1").bind(forgotten);
        Ok(gone.execute(self.pool()).await?.rows_affected())
    }
}

impl FromRow<'_, PgRow> for KeyedAnswer {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        let sqlx::types::Json(headers) = row.try_get("headers")?;
        Ok(Self { status: row.try_get::<i16, _>("status")?.unsigned_abs(), headers, body: row.try_get("body")? })
    }
}
