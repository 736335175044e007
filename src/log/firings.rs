//! Firings: what was done with an event by somebody whose effect is not a command of the log's own.
//!
//! What the database decides: a claim is one insert that gives way to a row that is there, so of two processes one is told
//! that it has it, whatever either has read before. A claim whose process died is taken over by a second, conditional update;
//! whether it is old enough is judged by the database's clock on the row as it stands under its lock, so of two processes
//! that try only one finds it so. How old is old enough is not for this table to know: it must exceed the longest run of
//! the caller's own effect, and the caller says it with each claim. What a holder may conclude: that it *had* the claim. It
//! may have slept since, and its outcome is refused when somebody else has the claim by then.
//!
//! Outcomes can be taken back: a person's retry sets a settled row back past the bound, so that the next claim takes it at
//! once, and touches no row that is still being worked on. Looking changes nothing.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::Row;
use sqlx::postgres::PgRow;
use uuid::Uuid;

use super::Log;
use super::error::{LogError, place, stored};

/// What there is to be fired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Firing<'a> {
    pub consumer: &'a str,
    pub position: u64,
    pub trigger: &'a str,
    pub scope: &'a str,
    pub hops: u32,
}

/// What a claim came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claimed {
    /// It is the caller's to carry out.
    Ours(Claim),
    /// Another claim on it runs, or its outcome is known.
    Taken,
}

/// The caller's hold on a firing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    pub attempt: u32,
    /// Rises when a person asks for it once more: what is done in it is another deed.
    pub round: u32,
}

/// How a firing ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, strum::Display, strum::EnumString, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum FiringState {
    /// Claimed, and nothing is known yet: by a process that is at it, or by one that died.
    Running,
    Dispatched,
    Failed,
    /// It was not to be fired.
    Refused,
}

/// One row, for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FiringRow {
    pub consumer: String,
    pub position: u64,
    pub trigger: String,
    pub scope: String,
    pub hops: u64,
    pub state: FiringState,
    pub attempts: u64,
    pub first_claimed_at: DateTime<Utc>,
    pub claimed_at: DateTime<Utc>,
    pub settled_at: Option<DateTime<Utc>>,
    pub run_id: Option<String>,
    pub outcome: Option<String>,
}

/// What a person's retry came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retried {
    /// The next look takes it.
    Claimable,
    /// A claim on it still runs.
    Live,
    Unknown,
}

impl Log {
    /// Claims a firing for `holder`: one that nobody ever claimed, or whose claim is older than `stale_after`.
    pub async fn claim_firing(&self, firing: &Firing<'_>, holder: Uuid, stale_after: Duration) -> Result<Claimed, LogError> {
        let first = sqlx::query(
            "insert into public.firings (consumer, position, trigger, scope, hops, state, holder, attempts, round,
                                         first_claimed_at, claimed_at)
             values ($1, $2, $3, $4, $5, 'running', $6, 1, 0, clock_timestamp(), clock_timestamp())
             on conflict do nothing",
        );
        let first = first.bind(firing.consumer).bind(stored(firing.position)).bind(firing.trigger).bind(firing.scope);
        let first = first.bind(i32::try_from(firing.hops).unwrap_or(i32::MAX)).bind(holder).execute(self.pool()).await?;
        if first.rows_affected() == 1 {
            return Ok(Claimed::Ours(Claim { attempt: 1, round: 0 }));
        }
        let over = sqlx::query(
            "update public.firings set holder = $3, attempts = attempts + 1, claimed_at = clock_timestamp()
             where consumer = $1 and position = $2 and state = 'running'
               and claimed_at < clock_timestamp() - $4 * interval '1 millisecond'
             returning attempts, round",
        );
        let over = over.bind(firing.consumer).bind(stored(firing.position)).bind(holder).bind(milliseconds(stale_after));
        let Some(row) = over.fetch_optional(self.pool()).await? else { return Ok(Claimed::Taken) };
        let count = |name: &str| -> Result<u32, LogError> { Ok(u32::try_from(row.try_get::<i32, _>(name)?).unwrap_or(0)) };
        Ok(Claimed::Ours(Claim { attempt: count("attempts")?, round: count("round")? }))
    }

    /// Tells what became of a firing. False when the claim is not the holder's any more: nothing is changed then.
    pub async fn settle_firing(
        &self,
        (consumer, position): (&str, u64),
        (holder, claim): (Uuid, Claim),
        (state, run_id, outcome): (FiringState, Option<&str>, &str),
    ) -> Result<bool, LogError> {
        let settled = sqlx::query(
            "update public.firings set state = $5, run_id = coalesce($6, run_id), outcome = $7, settled_at = clock_timestamp()
             where consumer = $1 and position = $2 and holder = $3 and attempts = $4 and state = 'running'",
        );
        let state: &'static str = state.into();
        let settled = settled.bind(consumer).bind(stored(position)).bind(holder);
        let settled = settled.bind(i32::try_from(claim.attempt).unwrap_or(i32::MAX)).bind(state).bind(run_id).bind(outcome);
        Ok(settled.execute(self.pool()).await?.rows_affected() == 1)
    }

    /// Makes a settled firing, or one whose claim is older than `stale_after`, claimable at once.
    pub async fn retry_firing(&self, consumer: &str, position: u64, stale_after: Duration) -> Result<Retried, LogError> {
        let set_back = sqlx::query(
            "update public.firings
             set state = 'running', round = round + case when state = 'running' then 0 else 1 end, settled_at = null,
                 claimed_at = clock_timestamp() - ($3 + 1000) * interval '1 millisecond'
             where consumer = $1 and position = $2
               and (state <> 'running' or claimed_at < clock_timestamp() - $3 * interval '1 millisecond')",
        );
        let set_back = set_back.bind(consumer).bind(stored(position)).bind(milliseconds(stale_after));
        if set_back.execute(self.pool()).await?.rows_affected() == 1 {
            return Ok(Retried::Claimable);
        }
        let known =
            sqlx::query_scalar::<_, bool>("select exists (select from public.firings where consumer = $1 and position = $2)");
        let known = known.bind(consumer).bind(stored(position)).fetch_one(self.pool()).await?;
        Ok(if known { Retried::Live } else { Retried::Unknown })
    }

    /// Firings whose claims are older than `stale_after`, the oldest first, `limit` at most: consumer and position.
    pub async fn claimable_firings(&self, stale_after: Duration, limit: u32) -> Result<Vec<(String, u64)>, LogError> {
        let stale = sqlx::query_as::<_, (String, i64)>(
            "select consumer, position from public.firings
             where state = 'running' and claimed_at < clock_timestamp() - $1 * interval '1 millisecond'
             order by claimed_at limit $2",
        );
        let stale = stale.bind(milliseconds(stale_after)).bind(i64::from(limit)).fetch_all(self.pool()).await?;
        Ok(stale.into_iter().map(|(consumer, position)| (consumer, place(position))).collect())
    }

    /// Every firing, the newest first, of one consumer or in one state where these are given; `limit` at most.
    pub async fn firings(
        &self,
        consumer: Option<&str>,
        state: Option<FiringState>,
        limit: u32,
    ) -> Result<Vec<FiringRow>, LogError> {
        let rows = sqlx::query(
            "select consumer, position, trigger, scope, hops, state, attempts, first_claimed_at, claimed_at, settled_at, run_id,
                    outcome
             from public.firings where ($1::text is null or consumer = $1) and ($2::text is null or state = $2)
             order by position desc, consumer limit $3",
        );
        let state: Option<&'static str> = state.map(Into::into);
        let rows = rows.bind(consumer).bind(state).bind(i64::from(limit)).fetch_all(self.pool()).await?;
        rows.iter().map(decode).collect()
    }
}

fn milliseconds(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}

fn decode(row: &PgRow) -> Result<FiringRow, LogError> {
    let count = |name: &str| -> Result<u64, LogError> { Ok(place(row.try_get::<i32, _>(name)?.into())) };
    Ok(FiringRow {
        consumer: row.try_get("consumer")?,
        position: place(row.try_get("position")?),
        trigger: row.try_get("trigger")?,
        scope: row.try_get("scope")?,
        hops: count("hops")?,
        state: row.try_get::<String, _>("state")?.parse().unwrap_or(FiringState::Running),
        attempts: count("attempts")?,
        first_claimed_at: row.try_get("first_claimed_at")?,
        claimed_at: row.try_get("claimed_at")?,
        settled_at: row.try_get("settled_at")?,
        run_id: row.try_get("run_id")?,
        outcome: row.try_get("outcome")?,
    })
}
