//! Reading the rows of series. How many definitions belong to one is counted among the drafts.

use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row};

use crate::page::page;
use crate::{Page, PageRequest, ReadFault};

/// One series in a list, as an answer spells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SeriesRow {
    pub id: String,
    pub slug: String,
    pub name: String,
    pub description: String,
    pub order: u64,
    /// Definitions that belong to it, archived ones included.
    pub definitions: u64,
    /// What an edit must name as its entity tag.
    pub revision: u64,
    pub created_at: DateTime<Utc>,
    pub position: u64,
}

const SELECT: &str = "
select s.id, s.slug, s.name, s.description, s.ordering, s.sequence, s.created_at, s.position,
       (select count(*) from public.drafts w where w.body ->> 'seriesId' = s.id) as definitions
from projections.series_v1 s
where s.deleted_at is null";

/// The series that there are, by their places and then by their slugs.
pub async fn list(pool: &PgPool, request: &PageRequest) -> Result<Page<SeriesRow>, ReadFault> {
    let limit = request.rows()?;
    let after = request.after::<3>(super::NAME)?;
    let after = after.map(|[order, slug, id]| order.parse::<i64>().map(|order| (order, slug, id)));
    let (order, slug, id) = match after.transpose().map_err(|_| ReadFault::BadToken)? {
        Some((order, slug, id)) => (Some(order), Some(slug), Some(id)),
        None => (None, None, None),
    };
    let select = format!(
        "{SELECT} and ($1::bigint is null or (s.ordering, s.slug, s.id) > ($1, $2, $3))
         order by s.ordering, s.slug, s.id limit $4"
    );
    let rows = sqlx::query(&select).bind(order).bind(slug).bind(id).bind(i64::from(limit) + 1);
    let rows = rows.fetch_all(pool).await?.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page(super::NAME, rows, limit, |row: &SeriesRow| [row.order.to_string(), row.slug.clone(), row.id.clone()]))
}

/// The series at this address; none if there is none (yet, or any more).
pub async fn by_slug(pool: &PgPool, slug: &str) -> Result<Option<SeriesRow>, ReadFault> {
    let row = sqlx::query(&format!("{SELECT} and s.slug = $1")).bind(slug).fetch_optional(pool).await?;
    Ok(row.as_ref().map(read).transpose()?)
}

fn read(row: &PgRow) -> Result<SeriesRow, sqlx::Error> {
    let number = |name: &str| row.try_get::<i64, _>(name).map(i64::unsigned_abs);
    Ok(SeriesRow {
        id: row.try_get("id")?,
        slug: row.try_get("slug")?,
        name: row.try_get("name")?,
        description: row.try_get("description")?,
        order: number("ordering")?,
        definitions: number("definitions")?,
        revision: number("sequence")?,
        created_at: row.try_get("created_at")?,
        position: number("position")?,
    })
}
