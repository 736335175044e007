//! One occurrence as a `VEVENT`. It names itself by its own id, which it keeps when it is moved or taken off.

use chrono::{DateTime, Utc};
use icalendar::{Component, Event, EventLike, EventStatus, Property};
use leasehold_aggregates::zones::Zone;

use super::entry::PublicStatus;
use crate::engine::calendar::{Entry, Listing};

const LOCAL: &str = "%Y%m%dT%H%M%S";
const UTC: &str = "%Y%m%dT%H%M%SZ";

/// Whether a wall clock alone says which instant is meant; of one that is shown twice, calendar programs make this or that.
pub fn is_plain(zone: &Zone, at: DateTime<Utc>) -> bool {
    let local = zone.wall_clock(at);
    zone.first_at_or_past(local) == at && !zone.shows_again(local, at)
}

/// What people have done to the slot of an entry.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    /// How often it was changed.
    pub changes: u64,
    /// It was taken off before there was a run.
    pub off: bool,
}

/// With the wall clock of `zone`, where there is one, and else the instant.
pub fn of(entry: &Entry, listing: &Listing, standing: Standing, zone: Option<&Zone>, public_url: Option<&str>) -> String {
    let mut event = Event::new();
    let revised = entry.run().map(|run| run.revised_at).or(listing.published_at).unwrap_or_else(|| entry.at());
    let revised = revised.format(UTC).to_string();
    let revision = entry.run().map_or(0, |run| run.revision) + standing.changes;
    event.uid(entry.id()).sequence(u32::try_from(revision).unwrap_or(u32::MAX));
    event.add_property("DTSTAMP", &revised).add_property("LAST-MODIFIED", &revised);
    event.append_property(match zone {
        Some(zone) => {
            let local = zone.wall_clock(entry.at()).format(LOCAL).to_string();
            Property::new("DTSTART", local).add_parameter("TZID", entry.timezone()).done()
        }
        None => Property::new("DTSTART", entry.at().format(UTC).to_string()),
    });
    event.summary(&line(entry.title()));
    let content = &listing.content;
    if !content.summary.is_empty() {
        event.description(&line(&content.summary));
    }
    if let Some(venue) = &content.venue {
        event.location(&line(&venue.label));
    }
    if !content.category.is_empty() {
        event.categories([line(&content.category)]);
    }
    if let Some(url) = public_url {
        event.url(&format!("{url}/api/v1/public/events/{}", listing.slug));
    }
    event.status(match (PublicStatus::of(entry), entry) {
        _ if standing.off => EventStatus::Cancelled,
        (PublicStatus::Cancelled, _) => EventStatus::Cancelled,
        (_, Entry::Forecast(_)) => EventStatus::Tentative,
        (_, Entry::Run(_)) => EventStatus::Confirmed,
    });
    event.to_string()
}

/// Text of one line: what would break it is a space.
pub fn line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
