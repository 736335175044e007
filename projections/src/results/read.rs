//! Reading who took part, and results. What members are called lies beside the log and is told as it is now.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Map, Value};
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row};
use uuid::Uuid;

use crate::page::{instant, micros, page};
use crate::{Page, PageRequest, ReadFault};

/// Somebody who took part in a run, for staff.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ParticipantRow {
    pub member: Uuid,
    /// What the game calls the member; null once erased.
    pub member_key: Option<String>,
    /// The account of the person, where one is linked.
    pub account_id: Option<String>,
    /// As it was told last: a decimal as text.
    pub score: String,
    /// In the result that was published last; null before, and for who was told of since.
    pub rank: Option<u64>,
    pub joined_at: Option<DateTime<Utc>>,
    pub meta: Map<String, Value>,
}

/// A run whose result is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedResult {
    pub run_id: String,
    pub scheduled_for: DateTime<Utc>,
    pub published_at: DateTime<Utc>,
    pub published: u64,
    pub places: u64,
}

/// One place, for everybody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaceRow {
    pub rank: u64,
    /// A decimal as text.
    pub score: String,
    /// What the member's account is called, where one is linked; null for everybody else.
    pub name: Option<String>,
}

/// One run in which an account took part.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct History {
    pub run_id: String,
    pub title: String,
    pub scope: String,
    pub scheduled_for: DateTime<Utc>,
    pub member: Uuid,
    /// As published, else as told last.
    pub score: String,
    /// Null until the result is published.
    pub rank: Option<u64>,
    pub published_at: Option<DateTime<Utc>>,
    pub joined_at: Option<DateTime<Utc>>,
}

/// Everybody who took part in a run: those with a place by their places, then the others by their scores.
pub async fn participants(pool: &PgPool, run_id: &str, request: &PageRequest) -> Result<Page<ParticipantRow>, ReadFault> {
    let limit = request.rows()?;
    let after = request.after::<1>(super::NAME)?.map(|[nth]| nth.parse::<i64>()).transpose().map_err(|_| ReadFault::BadToken)?;
    let rows = sqlx::query(
        "with last as (
             select distinct on (member) member, score, joined_at, meta from projections.participants_v1
             where run_id = $1 order by member, told desc
         ), ordered as (
             select l.member, l.score, l.joined_at, l.meta, p.rank,
                    row_number() over (order by p.rank nulls last, l.score desc, l.joined_at nulls last, l.member) as nth
             from last l
             left join projections.results_v1 r on r.id = $1
             left join projections.places_v1 p on p.run_id = $1 and p.published = r.published and p.member = l.member
         )
         select o.nth, o.member, o.score::text as score, o.joined_at, o.meta, o.rank, m.member_key, m.account_id
         from ordered o left join public.members m on m.member_id = o.member
         where o.nth > coalesce($2, 0) order by o.nth limit $3",
    );
    let rows = rows.bind(run_id).bind(after).bind(i64::from(limit) + 1).fetch_all(pool).await?;
    let rows: Vec<(i64, ParticipantRow)> = rows.iter().map(participant).collect::<Result<_, ReadFault>>()?;
    let Page { items, next_page_token } = page(super::NAME, rows, limit, |(nth, _)| [nth.to_string()]);
    Ok(Page { items: items.into_iter().map(|(_, row)| row).collect(), next_page_token })
}

fn participant(row: &PgRow) -> Result<(i64, ParticipantRow), ReadFault> {
    let meta: String = row.try_get("meta")?;
    let told = ParticipantRow {
        member: row.try_get("member")?,
        member_key: row.try_get("member_key")?,
        account_id: row.try_get("account_id")?,
        score: row.try_get("score")?,
        rank: rank(row)?,
        joined_at: row.try_get("joined_at")?,
        meta: serde_json::from_str(&meta).unwrap_or_default(),
    };
    Ok((row.try_get("nth")?, told))
}

fn rank(row: &PgRow) -> Result<Option<u64>, sqlx::Error> {
    Ok(row.try_get::<Option<i64>, _>("rank")?.map(i64::unsigned_abs))
}

/// The latest run of a definition whose result is published, rehearsals left out.
pub async fn latest(pool: &PgPool, definition_id: &str) -> Result<Option<PublishedResult>, ReadFault> {
    let row = sqlx::query(
        "select id, scheduled_for, published_at, published, places from projections.results_v1
         where definition_id = $1 and published is not null and not rehearsal order by scheduled_for desc, id limit 1",
    );
    let read = |row: PgRow| {
        Ok::<_, sqlx::Error>(PublishedResult {
            run_id: row.try_get("id")?,
            scheduled_for: row.try_get("scheduled_for")?,
            published_at: row.try_get("published_at")?,
            published: row.try_get::<i64, _>("published")?.unsigned_abs(),
            places: row.try_get::<i64, _>("places")?.unsigned_abs(),
        })
    };
    Ok(row.bind(definition_id).fetch_optional(pool).await?.map(read).transpose()?)
}

/// The places of a published result from behind `after` on, `limit` at most.
pub async fn places(pool: &PgPool, result: &PublishedResult, after: u64, limit: u32) -> Result<Vec<PlaceRow>, ReadFault> {
    let rows = sqlx::query(
        "select p.rank, p.score::text as score, nullif(a.name, '') as name
         from projections.places_v1 p
         left join public.members m on m.member_id = p.member
         left join public.accounts a on a.account_id = m.account_id
         where p.run_id = $1 and p.published = $2 and p.rank > $3 order by p.rank limit $4",
    );
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let rows = rows.bind(&result.run_id).bind(number(result.published)).bind(number(after)).bind(i64::from(limit));
    let read = |row: &PgRow| {
        let rank = row.try_get::<i64, _>("rank")?.unsigned_abs();
        Ok(PlaceRow { rank, score: row.try_get("score")?, name: row.try_get("name")? })
    };
    Ok(rows.fetch_all(pool).await?.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}

/// In what an account's person took part, the latest first; rehearsals left out.
pub async fn history(pool: &PgPool, account_id: &str, request: &PageRequest) -> Result<Page<History>, ReadFault> {
    let limit = request.rows()?;
    let after = request.after::<3>("history")?;
    let (at, run, member) = match after {
        Some([at, run, member]) => {
            let at = instant(&at)?;
            (Some(at), Some(run), Some(member.parse::<Uuid>().map_err(|_| ReadFault::BadToken)?))
        }
        None => (None, None, None),
    };
    let rows = sqlx::query(
        "select r.id, r.title, r.scope, r.scheduled_for, r.published_at, t.member, t.joined_at, p.rank,
                coalesce(p.score, t.score)::text as score
         from (
             select distinct on (run_id, member) run_id, member, score, joined_at
             from projections.participants_v1
             where member in (select member_id from public.members where account_id = $1)
             order by run_id, member, told desc
         ) t
         join projections.results_v1 r on r.id = t.run_id and not r.rehearsal
         left join projections.places_v1 p on p.run_id = r.id and p.published = r.published and p.member = t.member
         where $2::timestamptz is null or (r.scheduled_for, r.id, t.member) < ($2, $3, $4)
         order by r.scheduled_for desc, r.id desc, t.member desc limit $5",
    );
    let rows = rows.bind(account_id).bind(at).bind(run).bind(member).bind(i64::from(limit) + 1).fetch_all(pool).await?;
    let rows = rows.iter().map(told).collect::<Result<Vec<_>, sqlx::Error>>()?;
    Ok(page("history", rows, limit, |row: &History| [micros(row.scheduled_for), row.run_id.clone(), row.member.to_string()]))
}

fn told(row: &PgRow) -> Result<History, sqlx::Error> {
    Ok(History {
        run_id: row.try_get("id")?,
        title: row.try_get("title")?,
        scope: row.try_get("scope")?,
        scheduled_for: row.try_get("scheduled_for")?,
        member: row.try_get("member")?,
        score: row.try_get("score")?,
        rank: rank(row)?,
        published_at: row.try_get("published_at")?,
        joined_at: row.try_get("joined_at")?,
    })
}
