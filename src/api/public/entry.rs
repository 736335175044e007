use chrono::{DateTime, Utc};
use leasehold_aggregates::run::RunStatus;
use leasehold_aggregates::schedule::LocalDateTime;
use leasehold_aggregates::zones::{DstAdjusted, Zones};
use schemars::JsonSchema;
use serde::Serialize;

use crate::api::calendar::Reader;
use crate::engine::calendar::{Entry, Listings};
use crate::engine::runs::controls::MAIN;

/// One occurrence, as everybody may know it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicEntry {
    /// It keeps this whatever becomes of it.
    pub id: String,
    pub slug: String,
    pub title: String,
    pub summary: String,
    pub category: String,
    pub image: Option<String>,
    /// Where it takes place, for people.
    pub venue: Option<String>,
    pub scope: String,
    pub at: DateTime<Utc>,
    /// What the clocks of `timezone` show then.
    pub local: Option<String>,
    /// The event's own.
    pub timezone: String,
    pub dst_adjusted: Option<DstAdjusted>,
    /// The day on the reader's calendar.
    pub date: String,
    pub status: PublicStatus,
    /// Label of the phase that it is in, while it is live.
    pub phase: Option<String>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    pub results_published_at: Option<DateTime<Utc>>,
}

/// What everybody may know of how it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PublicStatus {
    Upcoming,
    Live,
    Over,
    /// It did not or will not take place.
    Cancelled,
}

impl PublicStatus {
    pub fn of(entry: &Entry) -> Self {
        let Some(run) = entry.run().map(|run| &run.summary) else { return Self::Upcoming };
        match run.status {
            RunStatus::Scheduled => Self::Upcoming,
            RunStatus::Running | RunStatus::Paused => Self::Live,
            RunStatus::Completed | RunStatus::Failed => Self::Over,
            RunStatus::Cancelled if run.started_at.is_some() => Self::Over,
            RunStatus::Cancelled | RunStatus::Missed => Self::Cancelled,
        }
    }
}

impl PublicEntry {
    /// None of an entry whose definition the listings do not have (yet).
    pub fn of(entry: &Entry, listings: &Listings, zones: &Zones, reader: &Reader) -> Option<Self> {
        let listing = listings.get(entry.definition_id())?;
        let content = &listing.content;
        let (status, run) = (PublicStatus::of(entry), entry.run());
        let summary = run.map(|run| &run.summary);
        Some(Self {
            id: entry.id().to_owned(),
            slug: listing.slug.clone(),
            title: entry.title().to_owned(),
            summary: content.summary.clone(),
            category: content.category.clone(),
            image: content.image.clone(),
            venue: content.venue.as_ref().map(|venue| venue.label.clone()),
            scope: summary.map_or_else(|| MAIN.to_owned(), |run| run.scope.clone()),
            at: entry.at(),
            local: entry.local(zones).map(|local| LocalDateTime(local).to_string()),
            timezone: entry.timezone().to_owned(),
            dst_adjusted: entry.dst_adjusted(),
            date: reader.date(entry.at()),
            status,
            phase: run.and_then(|run| run.phase_label.clone()).filter(|_| status == PublicStatus::Live),
            started_at: summary.and_then(|run| run.started_at),
            ended_at: summary.and_then(|run| run.ended_at.filter(|_| run.started_at.is_some())),
            results_published_at: summary.and_then(|run| run.results_published_at),
        })
    }
}
