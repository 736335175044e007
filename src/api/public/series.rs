//! `GET /public/events/series/{slug}`: an arc with its events and what is to come of them; with `.ics` behind the slug, its feed.
//! 200; 304; 404; 422.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use leasehold_projections::runs::RunFilter;
use leasehold_projections::series::{self, SeriesRow};
use leasehold_projections::{PageRequest, definitions, runs};
use schemars::JsonSchema;
use serde::Serialize;

use super::asked::ahead;
use super::entry::PublicEntry;
use super::feed;
use crate::api::calendar::Reader;
use crate::api::posted::Name;
use crate::api::query::Query;
use crate::api::{Api, Problem, cached};
use crate::engine::calendar::{Asked, CalendarPage};

/// What is to come that is named.
const AHEAD: u32 = 20;

/// One arc, as everybody may know it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicSeries {
    pub slug: String,
    pub name: String,
    pub description: String,
    /// In their order; those without a place come last.
    pub events: Vec<EventOfSeries>,
    /// What is under way and what comes next, the earliest first, at most twenty.
    pub upcoming: Vec<PublicEntry>,
}

/// One event of an arc.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventOfSeries {
    pub slug: String,
    pub title: String,
    pub summary: String,
    pub category: String,
    pub image: Option<String>,
    /// Its place in the arc.
    pub order: Option<i64>,
    /// When it happens, as a sentence.
    pub schedule: String,
    /// It takes place no more.
    pub archived: bool,
}

pub async fn handle(State(api): State<Api>, Name(name): Name, headers: HeaderMap, mut query: Query) -> Result<Response, Problem> {
    let (slug, is_feed) = name.strip_suffix(".ics").map_or((name.as_str(), false), |slug| (slug, true));
    let position = query.min_position();
    let reader = if is_feed { None } else { Some(Reader::of(&mut query, api.engine.zones())) };
    query.finish()?;
    position.reached_by(&api, &[series::NAME, runs::NAME, definitions::NAME]).await?;
    if slug.contains('\0') {
        // No slug has one, and the database takes none.
        return Err(Problem::not_found());
    }
    let row = series::by_slug(api.engine.log.pool(), slug).await?.ok_or_else(Problem::not_found)?;
    match reader {
        Some(reader) => cached::json(&headers, &told(&api, row, &reader).await?),
        None => feed::respond(&api, of(&row), &row.name, &headers).await,
    }
}

fn of(row: &SeriesRow) -> Asked {
    let runs = RunFilter { public: true, ..RunFilter::default() };
    Asked { series: Some(row.id.clone()), forecasts: true, verified: true, runs, ..Asked::default() }
}

async fn told(api: &Api, row: SeriesRow, reader: &Reader) -> Result<PublicSeries, Problem> {
    let (pool, zones) = (api.engine.log.pool(), api.engine.zones());
    let request = PageRequest { token: None, limit: Some(AHEAD) };
    let CalendarPage { page, listings } = api.engine.calendar(&ahead(of(&row)), &request, "", api.now().await?).await?;
    let ids = definitions::in_series(pool, &row.id).await?;
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut events = Vec::new();
    for (id, _, order) in definitions::series_of(pool, &ids).await? {
        // What was never published is in no listing.
        let Some(listing) = listings.get(&id) else { continue };
        let content = &listing.content;
        events.push(EventOfSeries {
            slug: listing.slug.clone(),
            title: content.title.clone(),
            summary: content.summary.clone(),
            category: content.category.clone(),
            image: content.image.clone(),
            order,
            schedule: content.plan.schedule.sentence(),
            archived: listing.is_archived(),
        });
    }
    events.sort_by(|one, other| {
        (one.order.is_none(), one.order, &one.slug).cmp(&(other.order.is_none(), other.order, &other.slug))
    });
    let upcoming = page.items.iter().filter_map(|entry| PublicEntry::of(entry, &listings, zones, reader)).collect();
    Ok(PublicSeries { slug: row.slug, name: row.name, description: row.description, events, upcoming })
}
