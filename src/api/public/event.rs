//! `GET /public/events/{slug}`: one event in full; with `.ics` behind the slug, its feed. 200; 304; 404; 422.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use chrono::{DateTime, Utc};
use leasehold_aggregates::run::RunStatus;
use leasehold_projections::results::{self, PlaceRow};
use leasehold_projections::runs::{After, ENTRY, RunFilter, RunSort, sorted};
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
use crate::engine::calendar::{Asked, CalendarPage, Entry, Listing};

/// What is to come that is named.
const AHEAD: u32 = 10;
/// Places that are named.
const PLACES: u32 = 100;
/// What is over that is named.
const OVER: u32 = 5;

/// One event, as everybody may know it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicEvent {
    pub slug: String,
    pub title: String,
    pub summary: String,
    /// Markdown, as it was written.
    pub storyline: String,
    pub image: Option<String>,
    /// Where it takes place, for people.
    pub venue: Option<String>,
    pub category: String,
    pub timezone: String,
    /// When it happens, as a sentence.
    pub schedule: String,
    /// It takes place no more.
    pub archived: bool,
    /// What is under way.
    pub live: Vec<PublicEntry>,
    /// What comes next, at most ten.
    pub upcoming: Vec<PublicEntry>,
    /// What was lately, the newest first, at most five.
    pub over: Vec<PublicEntry>,
    /// The results published last; null before the first.
    pub results: Option<PublicResults>,
}

/// A result, as everybody may know it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicResults {
    pub run_id: String,
    /// When the run was due.
    pub at: DateTime<Utc>,
    pub published_at: DateTime<Utc>,
    /// How many places there are.
    pub places: u64,
    /// The first hundred of them.
    pub standings: Vec<PlaceRow>,
}

pub async fn handle(State(api): State<Api>, Name(name): Name, headers: HeaderMap, mut query: Query) -> Result<Response, Problem> {
    if let Some(slug) = name.strip_suffix(".ics") {
        return feed::of_event(&api, slug, &headers, query).await;
    }
    let position = query.min_position();
    let reader = Reader::of(&mut query, api.engine.zones());
    query.finish()?;
    position.reached_by(&api, &[runs::NAME, definitions::NAME, results::NAME]).await?;
    let listings = api.engine.listings().await?;
    let listing = listings.values().find(|listing| listing.slug == name).ok_or_else(Problem::not_found)?;
    cached::json(&headers, &told(&api, listing, &reader).await?)
}

async fn told(api: &Api, listing: &Listing, reader: &Reader) -> Result<PublicEvent, Problem> {
    let (pool, zones) = (api.engine.log.pool(), api.engine.zones());
    let runs = RunFilter { public: true, ..RunFilter::default() };
    let own =
        Asked { definition: Some(listing.id.clone()), forecasts: true, verified: true, runs: runs.clone(), ..Asked::default() };
    let request = PageRequest { token: None, limit: Some(2 * AHEAD) };
    let CalendarPage { page, listings } = api.engine.calendar(&ahead(own), &request, "", api.now().await?).await?;
    let entries = page.items.iter().filter_map(|entry| PublicEntry::of(entry, &listings, zones, reader));
    let (live, mut upcoming): (Vec<_>, Vec<_>) = entries.partition(|entry| entry.phase.is_some() || entry.started_at.is_some());
    upcoming.truncate(AHEAD as usize);
    let ended = vec![RunStatus::Completed, RunStatus::Failed];
    let over = RunFilter { definitions: Some(vec![listing.id.clone()]), statuses: ended, ..runs };
    let (over, _) = sorted(pool, &ENTRY, &over, RunSort::ByInstantDown, &After::default(), OVER).await?;
    let over = over.into_iter().map(|run| Entry::Run(Box::new(run.row)));
    let content = definitions::content(pool, &listing.id, listing.version).await?;
    let storyline = content.as_ref().and_then(|content| content["storyline"].as_str()).unwrap_or_default().to_owned();
    let known = &listing.content;
    Ok(PublicEvent {
        slug: listing.slug.clone(),
        title: known.title.clone(),
        summary: known.summary.clone(),
        storyline,
        image: known.image.clone(),
        venue: known.venue.as_ref().map(|venue| venue.label.clone()),
        category: known.category.clone(),
        timezone: known.timezone.clone(),
        schedule: known.plan.schedule.sentence(),
        archived: listing.is_archived(),
        live,
        upcoming,
        over: over.filter_map(|entry| PublicEntry::of(&entry, &listings, zones, reader)).collect(),
        results: published(api, &listing.id).await?,
    })
}

async fn published(api: &Api, definition: &str) -> Result<Option<PublicResults>, Problem> {
    let pool = api.engine.log.pool();
    let Some(result) = results::latest(pool, definition).await? else { return Ok(None) };
    let standings = results::places(pool, &result, 0, PLACES).await?;
    let (at, published_at, places) = (result.scheduled_for, result.published_at, result.places);
    Ok(Some(PublicResults { run_id: result.run_id, at, published_at, places, standings }))
}
