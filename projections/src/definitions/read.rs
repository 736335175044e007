//! Reading the rows of definitions. What the draft says, when it happens next and how it goes are looked up beside them.

use chrono::{DateTime, Utc};
use leasehold_aggregates::definition::DefinitionState;
use leasehold_aggregates::run::Health;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row};

use super::Standing;
use crate::page::page;
use crate::runs::word;
use crate::{Page, PageRequest, ReadFault};

/// One definition in a list, as an answer spells it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DefinitionRow {
    pub id: String,
    pub slug: String,
    pub state: DefinitionState,
    /// The current version; absent before the first.
    pub version: Option<u64>,
    /// Of the current version; before the first, of the draft.
    pub title: Option<String>,
    pub summary: Option<String>,
    pub category: Option<String>,
    pub timezone: Option<String>,
    pub owner_module: Option<String>,
    pub series_id: Option<String>,
    pub series_order: Option<i64>,
    pub schedule: Option<String>,
    pub verified: bool,
    /// Whether the draft says something else than the current version; what was never published is all edits.
    pub unpublished_edits: bool,
    /// The earliest run that is still to come.
    pub next_occurrence: Option<DateTime<Utc>>,
    /// How the run that was due last among those that started went or goes.
    pub health: Option<Health>,
    pub created_at: DateTime<Utc>,
    pub published_at: Option<DateTime<Utc>>,
    pub archived_at: Option<DateTime<Utc>>,
    pub position: u64,
}

/// One version in a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionRow {
    pub definition_id: String,
    pub version: u64,
    pub title: String,
    pub published_at: DateTime<Utc>,
    pub published_by: String,
    pub verified_at: Option<DateTime<Utc>>,
    pub verified_by: Option<String>,
    pub position: u64,
}

/// Which definitions; what is absent does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DefinitionFilter {
    pub states: Vec<DefinitionState>,
    pub category: Option<String>,
    pub series_id: Option<String>,
    /// Part of the slug, the title or the summary, whatever the case of letters of ASCII.
    pub search: Option<String>,
}

const SELECT: &str = "
select d.id, d.slug, d.state, d.version, coalesce(d.title, w.body ->> 'title') as title,
       coalesce(d.summary, w.body ->> 'summary') as summary, coalesce(d.category, w.body ->> 'category') as category,
       coalesce(d.timezone, w.body ->> 'timezone') as timezone, coalesce(d.owner_module, w.body ->> 'ownerModule') as owner_module,
       w.body ->> 'seriesId' as series_id, (w.body ->> 'seriesOrder')::bigint as series_order,
       coalesce(d.schedule, w.body #>> '{spec,schedule,kind}') as schedule, d.verified,
       d.version is null or (w.body::jsonb - '{slug,seriesId,seriesOrder}'::text[]) <> v.content::jsonb as unpublished_edits,
       (select min(r.scheduled_for) from projections.runs_v2 r where r.definition_id = d.id and r.status = 'scheduled')
           as next_occurrence,
       (select r.health from projections.runs_v2 r where r.definition_id = d.id and r.started_at is not null
        order by r.scheduled_for desc, r.id desc limit 1) as health,
       d.created_at, d.published_at, d.archived_at, d.position
from projections.definitions_v2 d
left join public.drafts w on w.definition_id = d.id
left join projections.definition_versions_v2 v on v.definition_id = d.id and v.version = d.version";

/// The definitions that fit, in the order of their slugs.
pub async fn list(pool: &PgPool, filter: &DefinitionFilter, request: &PageRequest) -> Result<Page<DefinitionRow>, ReadFault> {
    let limit = request.rows()?;
    let after = request.after::<2>(super::NAME)?;
    let [slug, id] = after.map_or([None, None], |[slug, id]| [Some(slug), Some(id)]);
    let states: Vec<&'static str> = filter.states.iter().map(Into::into).collect();
    let select = format!(
        "{SELECT}
         where (cardinality($1::text[]) = 0 or d.state = any($1))
           and ($2::text is null or coalesce(d.category, w.body ->> 'category') = $2)
           and ($3::text is null or w.body ->> 'seriesId' = $3)
           and ($4::text is null or position(lower($4) in lower(d.slug || e'\\n' || coalesce(d.title, w.body ->> 'title', '')
                                                               || e'\\n' || coalesce(d.summary, w.body ->> 'summary', ''))) > 0)
           and ($5::text is null or (d.slug, d.id) > ($5, $6))
         order by d.slug, d.id limit $7"
    );
    let rows = sqlx::query(&select).bind(states).bind(&filter.category).bind(&filter.series_id);
    let rows = rows.bind(&filter.search).bind(slug).bind(id).bind(i64::from(limit) + 1);
    let rows = rows.fetch_all(pool).await?.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page(super::NAME, rows, limit, |row: &DefinitionRow| [row.slug.clone(), row.id.clone()]))
}

/// One definition; none if there is no such row (yet).
pub async fn find(pool: &PgPool, id: &str) -> Result<Option<DefinitionRow>, ReadFault> {
    let row = sqlx::query(&format!("{SELECT} where d.id = $1")).bind(id).fetch_optional(pool).await?;
    Ok(row.as_ref().map(read).transpose()?)
}

/// Every definition with an event behind this position, folded, with the position of its newest event; in the order of these.
pub async fn changed_since(pool: &PgPool, position: Option<u64>) -> Result<Vec<(String, u64, Standing)>, ReadFault> {
    let select = "select id, position, folded::text as folded from projections.definitions_v2
                  where $1::bigint is null or position > $1 order by position";
    let position = position.map(|position| i64::try_from(position).unwrap_or(i64::MAX));
    let changed = |row: &PgRow| {
        let folded = serde_json::from_str(row.try_get("folded")?);
        let folded = folded.map_err(|error| sqlx::Error::ColumnDecode { index: "folded".into(), source: error.into() })?;
        Ok((row.try_get("id")?, row.try_get::<i64, _>("position")?.unsigned_abs(), folded))
    };
    let rows = sqlx::query(select).bind(position).fetch_all(pool).await?;
    Ok(rows.iter().map(changed).collect::<Result<_, sqlx::Error>>()?)
}

/// The definitions that are in this series.
pub async fn in_series(pool: &PgPool, series: &str) -> Result<Vec<String>, ReadFault> {
    let select = "select definition_id from public.drafts where body ->> 'seriesId' = $1";
    Ok(sqlx::query_scalar(select).bind(series).fetch_all(pool).await?)
}

/// The series that these definitions are in, and where in it: `(definition, series, order)`.
pub async fn series_of(pool: &PgPool, ids: &[&str]) -> Result<Vec<(String, String, Option<i64>)>, ReadFault> {
    let select = "select definition_id, body ->> 'seriesId', (body ->> 'seriesOrder')::bigint from public.drafts
                  where definition_id = any($1) and body ->> 'seriesId' is not null";
    Ok(sqlx::query_as(select).bind(ids).fetch_all(pool).await?)
}

/// The versions of one definition, the newest first.
pub async fn list_versions(pool: &PgPool, definition_id: &str, request: &PageRequest) -> Result<Page<VersionRow>, ReadFault> {
    let limit = request.rows()?;
    let before = request.after::<1>("definition_versions")?;
    let before = before.map(|[version]| version.parse::<i64>().map_err(|_| ReadFault::BadToken)).transpose()?;
    let rows = sqlx::query(
        "select definition_id, version, position, title, published_at, published_by, verified_at, verified_by
         from projections.definition_versions_v2
         where definition_id = $1 and ($2::bigint is null or version < $2) order by version desc limit $3",
    );
    let rows = rows.bind(definition_id).bind(before).bind(i64::from(limit) + 1).fetch_all(pool).await?;
    let rows = rows.iter().map(read_version).collect::<Result<_, _>>()?;
    Ok(page("definition_versions", rows, limit, |row: &VersionRow| [row.version.to_string()]))
}

/// All that one version holds, spelled like a posted body; none if there is no such version (yet).
pub async fn content(pool: &PgPool, definition_id: &str, version: u64) -> Result<Option<Value>, ReadFault> {
    let select = "select content from projections.definition_versions_v2 where definition_id = $1 and version = $2";
    let version = i64::try_from(version).unwrap_or(i64::MAX);
    Ok(sqlx::query_scalar(select).bind(definition_id).bind(version).fetch_optional(pool).await?)
}

fn read(row: &PgRow) -> Result<DefinitionRow, sqlx::Error> {
    Ok(DefinitionRow {
        id: row.try_get("id")?,
        slug: row.try_get("slug")?,
        state: word(row, "state")?,
        version: row.try_get::<Option<i64>, _>("version")?.map(i64::unsigned_abs),
        title: row.try_get("title")?,
        summary: row.try_get("summary")?,
        category: row.try_get("category")?,
        timezone: row.try_get("timezone")?,
        owner_module: row.try_get("owner_module")?,
        series_id: row.try_get("series_id")?,
        series_order: row.try_get("series_order")?,
        schedule: row.try_get("schedule")?,
        verified: row.try_get("verified")?,
        // Null where there is no draft: then nothing is edited.
        unpublished_edits: row.try_get::<Option<bool>, _>("unpublished_edits")?.unwrap_or(false),
        next_occurrence: row.try_get("next_occurrence")?,
        health: word(row, "health")?,
        created_at: row.try_get("created_at")?,
        published_at: row.try_get("published_at")?,
        archived_at: row.try_get("archived_at")?,
        position: row.try_get::<i64, _>("position")?.unsigned_abs(),
    })
}

fn read_version(row: &PgRow) -> Result<VersionRow, sqlx::Error> {
    Ok(VersionRow {
        definition_id: row.try_get("definition_id")?,
        version: row.try_get::<i64, _>("version")?.unsigned_abs(),
        title: row.try_get("title")?,
        published_at: row.try_get("published_at")?,
        published_by: row.try_get("published_by")?,
        verified_at: row.try_get("verified_at")?,
        verified_by: row.try_get("verified_by")?,
        position: row.try_get::<i64, _>("position")?.unsigned_abs(),
    })
}
