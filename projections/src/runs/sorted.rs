//! Sorted lists of runs, in pages that all stand at one place of the log: the one that the first page was told from. Where a
//! run has another status or instant since, it keeps the place that it had, and one that has come since is left out. So the
//! pages hold every run of the first page's moment once, whatever happens while they are turned.

use chrono::{DateTime, Utc};
use leasehold_aggregates::run::{CleanupStatus, Health, RunStatus};
use serde::Deserialize;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Postgres, QueryBuilder, Row};

use crate::page::{Page, page};
use crate::page::{instant, micros};
use crate::{PageRequest, ReadFault};

/// Which runs; what is absent does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunFilter {
    /// Of one of these definitions; absent: any.
    pub definitions: Option<Vec<String>>,
    /// One of these; empty: any.
    pub statuses: Vec<RunStatus>,
    pub health: Vec<Health>,
    pub cleanup: Vec<CleanupStatus>,
    pub scope: Option<String>,
    /// Due at this instant or later.
    pub from: Option<DateTime<Utc>>,
    /// Due before this instant.
    pub to: Option<DateTime<Utc>>,
    /// Rehearsals are left out.
    pub public: bool,
}

/// In which order; runs that are alike in it are in the order of their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum RunSort {
    #[serde(rename = "scheduledFor")]
    ByInstant,
    #[default]
    #[serde(rename = "-scheduledFor")]
    ByInstantDown,
    /// By the names of statuses, then by instant.
    #[serde(rename = "status")]
    ByStatus,
    #[serde(rename = "-status")]
    ByStatusDown,
}

/// Where a run is in a sorted list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunPlace {
    /// Empty where the list is not sorted by status.
    pub status: String,
    pub at: DateTime<Utc>,
    pub id: String,
}

/// A row with its place.
#[derive(Debug, Clone)]
pub struct Placed<T> {
    pub row: T,
    pub place: RunPlace,
}

/// The moment that all pages of one list stand at, and the place behind which a page begins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct After {
    /// A position; absent on the first page.
    pub stands: Option<u64>,
    pub place: Option<RunPlace>,
}

/// What is read of each run.
pub struct Shape<T> {
    /// Columns of `r`, the run, and `d`, its definition.
    pub columns: &'static str,
    pub read: fn(&PgRow) -> Result<T, sqlx::Error>,
}

/// At most `limit` runs behind a place, and the position that the list stands at.
pub async fn sorted<T>(
    pool: &PgPool,
    shape: &Shape<T>,
    filter: &RunFilter,
    sort: RunSort,
    after: &After,
    limit: u32,
) -> Result<(Vec<Placed<T>>, u64), ReadFault> {
    let newest = "select coalesce(max(position), 0) from projections.runs_v2";
    let stands = match after.stands {
        Some(stands) => i64::try_from(stands).unwrap_or(i64::MAX),
        None => sqlx::query_scalar::<_, i64>(newest).fetch_one(pool).await?,
    };
    let mut found = Vec::new();
    // In this order: one that changes between the two reads is in both, and not in none.
    for since in [false, true] {
        let mut query = select(shape.columns, filter, sort, (stands, after.place.as_ref()), since);
        query.push(" limit ").push_bind(i64::from(limit));
        for row in query.build().fetch_all(pool).await? {
            let place = RunPlace { status: row.try_get("place_status")?, at: row.try_get("place_at")?, id: row.try_get("id")? };
            found.push(Placed { row: (shape.read)(&row)?, place });
        }
    }
    found.sort_by(|one, other| if sort.down() { other.place.cmp(&one.place) } else { one.place.cmp(&other.place) });
    found.dedup_by(|one, other| one.place.id == other.place.id);
    found.truncate(limit as usize);
    Ok((found, stands.unsigned_abs()))
}

/// Either the rows that have not changed since the list's moment, or those that have, at the places that they had then.
fn select<'a>(
    columns: &str,
    filter: &'a RunFilter,
    sort: RunSort,
    (stands, after): (i64, Option<&'a RunPlace>),
    since: bool,
) -> QueryBuilder<'a, Postgres> {
    let (status, at) = if since {
        ("(p.place ->> 1)", "(timestamptz 'epoch' + (p.place ->> 2)::bigint * interval '1 microsecond')")
    } else {
        ("r.status", "r.scheduled_for")
    };
    let by_status = if sort.by_status() { status } else { "''" };
    let mut query = QueryBuilder::new(format!(
        "select r.id, {columns}, {by_status} as place_status, {at} as place_at
         from projections.runs_v2 r left join projections.definitions_v2 d on d.id = r.definition_id"
    ));
    if since {
        query.push(
            " cross join lateral (select place from json_array_elements(r.placed) with ordinality as e (place, nth)
               where (place ->> 0)::bigint <= ",
        );
        query.push_bind(stands).push(" order by nth desc limit 1) p where r.position > ").push_bind(stands);
    } else {
        query.push(" where r.position <= ").push_bind(stands);
    }
    narrow(&mut query, filter, status, at);
    if let Some(place) = after {
        let (row, than) =
            (if sort.by_status() { format!("({status}, {at}, r.id)") } else { format!("({at}, r.id)") }, sort.than());
        query.push(format!(" and {row} {than} ("));
        if sort.by_status() {
            query.push_bind(&place.status).push(", ");
        }
        query.push_bind(place.at).push(", ").push_bind(&place.id).push(")");
    }
    let way = if sort.down() { "desc" } else { "asc" };
    let first = if sort.by_status() { format!("{status} {way}, ") } else { String::new() };
    query.push(format!(" order by {first}{at} {way}, r.id {way}"));
    query
}

fn narrow<'a>(query: &mut QueryBuilder<'a, Postgres>, filter: &'a RunFilter, status: &str, at: &str) {
    fn words<T: Copy + Into<&'static str>>(of: &[T]) -> Vec<&'static str> {
        of.iter().copied().map(Into::into).collect()
    }
    if let Some(definitions) = &filter.definitions {
        query.push(" and r.definition_id = any(").push_bind(definitions).push(")");
    }
    let statuses = (status, words(&filter.statuses));
    for (column, chosen) in [statuses, ("r.health", words(&filter.health)), ("r.cleanup_status", words(&filter.cleanup))] {
        if !chosen.is_empty() {
            query.push(format!(" and {column} = any(")).push_bind(chosen).push(")");
        }
    }
    if let Some(scope) = &filter.scope {
        query.push(" and r.scope = ").push_bind(scope);
    }
    if let Some(from) = filter.from {
        query.push(format!(" and {at} >= ")).push_bind(from);
    }
    if let Some(to) = filter.to {
        query.push(format!(" and {at} < ")).push_bind(to);
    }
    if filter.public {
        query.push(" and not r.rehearsal");
    }
}

impl RunSort {
    /// As queries spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::ByInstant => "scheduledFor",
            Self::ByInstantDown => "-scheduledFor",
            Self::ByStatus => "status",
            Self::ByStatusDown => "-status",
        }
    }

    fn by_status(self) -> bool {
        matches!(self, Self::ByStatus | Self::ByStatusDown)
    }

    fn down(self) -> bool {
        matches!(self, Self::ByInstantDown | Self::ByStatusDown)
    }

    fn than(self) -> &'static str {
        if self.down() { "<" } else { ">" }
    }
}

impl After {
    /// From the token of a page; `list` names the list and its order.
    pub fn of(request: &PageRequest, list: &str) -> Result<Self, ReadFault> {
        let Some([stands, status, at, id]) = request.after::<4>(list)? else { return Ok(Self::default()) };
        let stands = stands.parse::<i64>().ok().filter(|stands| *stands >= 0).ok_or(ReadFault::BadToken)?;
        let place = RunPlace { status, at: instant(&at)?, id };
        Ok(Self { stands: Some(stands.unsigned_abs()), place: Some(place) })
    }
}

/// Cuts the row too many, and makes the token.
pub fn paged<T>(list: &str, rows: Vec<Placed<T>>, stands: u64, limit: u32) -> Page<T> {
    let key = |row: &Placed<T>| {
        let place = &row.place;
        [stands.to_string(), place.status.clone(), micros(place.at), place.id.clone()]
    };
    let page = page(list, rows, limit, key);
    Page { items: page.items.into_iter().map(|row| row.row).collect(), next_page_token: page.next_page_token }
}
