//! `GET /admin/events/calendar`: runs and projections in a window, the earliest first, in pages. 200; 422; 503 where
//! `minPosition` is not reached.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use leasehold_aggregates::deployment::Frozen;
use leasehold_aggregates::run::{CleanupStatus, Health, RunStatus};
use leasehold_aggregates::schedule::LocalDateTime;
use leasehold_aggregates::zones::DstAdjusted;
use leasehold_projections::runs::{self, RunFilter};
use leasehold_projections::{Page, definitions};
use schemars::JsonSchema;
use serde::Serialize;

use super::window::{Reader, Window};
use crate::api::paging::Paging;
use crate::api::query::Query;
use crate::api::{Api, Problem};
use crate::engine::calendar::{Asked, CalendarPage, Conflict, Entry, Kind, Listings};
use crate::engine::runs::controls::MAIN;

const LIST: &str = "calendar";

/// One entry, as an answer spells it. What only a run has is null of a projection.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CalendarEntry {
    pub kind: Kind,
    /// The run's; of a projection, the one that its run would have.
    pub id: String,
    pub definition_id: String,
    pub slug: Option<String>,
    pub version: u64,
    pub title: String,
    pub category: Option<String>,
    pub series_id: Option<String>,
    pub series_order: Option<i64>,
    pub scope: String,
    pub at: DateTime<Utc>,
    /// What the clocks of `timezone` show then.
    pub local: Option<String>,
    /// The authored wall clock; null for a start by hand.
    pub slot: Option<String>,
    /// The event's own.
    pub timezone: String,
    pub dst_adjusted: Option<DstAdjusted>,
    /// The day on the reader's calendar.
    pub date: String,
    pub status: Option<RunStatus>,
    pub health: Option<Health>,
    pub cleanup_status: Option<CleanupStatus>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    pub rehearsal: Option<bool>,
    /// Why it was taken off the calendar before it began.
    pub withdrawn: Option<String>,
    /// What others want while this wants it.
    pub conflicts: Vec<Conflict>,
    /// The freeze because of which it will not start, of what has not started.
    pub frozen: Option<Frozen>,
}

pub async fn handle(State(api): State<Api>, mut query: Query) -> Result<Json<Page<CalendarEntry>>, Problem> {
    let paging = Paging::of(&mut query);
    let window = Window::of(&mut query, api.engine.zones());
    let runs = RunFilter {
        statuses: query.choices("status"),
        scope: query.text("scope", 64),
        from: Some(window.from),
        to: Some(window.to),
        ..RunFilter::default()
    };
    let asked = Asked {
        // A forecast has no status, and is of no scope that somebody chose.
        forecasts: runs.statuses.is_empty() && runs.scope.is_none(),
        runs,
        verified: false,
        definition: query.text("definitionId", 64),
        states: query.choices("state"),
        category: query.text("category", 60),
        series: query.text("seriesId", 64),
    };
    query.finish()?;
    paging.reached(&api, &[runs::NAME, definitions::NAME]).await?;
    let now = api.now().await?;
    let CalendarPage { page, listings } = api.engine.calendar(&asked, &paging.page, LIST, now).await?;
    let conflicts = api.engine.conflicts(&page.items, &listings, now).await?;
    let series = series(&api, &page.items).await?;
    let instants: Vec<DateTime<Utc>> = page.items.iter().map(Entry::at).collect();
    let frozen = api.engine.frozen(&instants).await?;
    let told = |((entry, conflicts), frozen): ((&Entry, _), Option<Frozen>)| {
        let frozen = frozen.filter(|_| is_ahead(entry));
        CalendarEntry { conflicts, frozen, ..tell(&api, &window.reader, &listings, &series, entry) }
    };
    let items = page.items.iter().zip(conflicts).zip(frozen).map(told).collect();
    Ok(Json(Page { items, next_page_token: page.next_page_token }))
}

type Series = BTreeMap<String, (String, Option<i64>)>;

/// Which series the definitions of these entries are in.
async fn series(api: &Api, entries: &[Entry]) -> Result<Series, Problem> {
    let ids: Vec<&str> = entries.iter().map(Entry::definition_id).collect();
    let found = definitions::series_of(api.engine.log.pool(), &ids).await?;
    Ok(found.into_iter().map(|(definition, series, order)| (definition, (series, order))).collect())
}

/// Whether it is still to start.
fn is_ahead(entry: &Entry) -> bool {
    entry.run().is_none_or(|run| run.summary.status == RunStatus::Scheduled)
}

fn tell(api: &Api, reader: &Reader, listings: &Listings, series: &Series, entry: &Entry) -> CalendarEntry {
    let listing = listings.get(entry.definition_id());
    let series = series.get(entry.definition_id());
    let run = entry.run();
    CalendarEntry {
        kind: entry.kind(),
        id: entry.id().to_owned(),
        definition_id: entry.definition_id().to_owned(),
        slug: listing.map(|listing| listing.slug.clone()),
        version: entry.version(),
        title: entry.title().to_owned(),
        category: listing.map(|listing| listing.content.category.clone()),
        series_id: series.map(|(id, _)| id.clone()),
        series_order: series.and_then(|(_, order)| *order),
        scope: run.map_or_else(|| MAIN.to_owned(), |run| run.summary.scope.clone()),
        at: entry.at(),
        local: entry.local(api.engine.zones()).map(|local| LocalDateTime(local).to_string()),
        slot: entry.slot(),
        timezone: entry.timezone().to_owned(),
        dst_adjusted: entry.dst_adjusted(),
        date: reader.date(entry.at()),
        status: run.map(|run| run.summary.status),
        health: run.map(|run| run.summary.health),
        cleanup_status: run.map(|run| run.summary.cleanup_status),
        started_at: run.and_then(|run| run.summary.started_at),
        ended_at: run.and_then(|run| run.summary.ended_at),
        rehearsal: run.map(|run| run.summary.rehearsal),
        withdrawn: run.and_then(|run| run.withdrawn.clone()),
        conflicts: Vec::new(),
        frozen: None,
    }
}
