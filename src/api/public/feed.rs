//! `GET /public/events.ics`, and the feed of one event: what was lately, is and will be, in the form that calendar programs
//! subscribe to (RFC 5545). 200; 304; 404; 422.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use chrono::TimeDelta;
use icalendar::{Calendar, Property};
use leasehold_projections::definitions::SlotChanges;
use leasehold_projections::runs::RunFilter;
use leasehold_projections::{MOST, PageRequest, definitions, runs};

use super::asked::narrowed;
use super::{vevent, vtimezone};
use crate::api::query::Query;
use crate::api::{Api, Problem, cached};
use crate::engine::calendar::{Asked, CalendarPage, Entry, Listings};

/// How far back a feed goes.
const BACK: TimeDelta = TimeDelta::days(31);
/// How far ahead.
const AHEAD: TimeDelta = TimeDelta::days(366);
/// Most occurrences of one feed: those that come first.
const LONGEST: usize = 1_000;
/// How often a program may come for it again.
const REFRESH: &str = "PT1H";
const END: &str = "END:VCALENDAR\r\n";

/// All events, or those that are asked for.
pub async fn of_all(State(api): State<Api>, headers: HeaderMap, mut query: Query) -> Result<Response, Problem> {
    let asked = narrowed(&mut query);
    settle(&api, query).await?;
    respond(&api, asked, "Events", &headers).await
}

/// One event.
pub(super) async fn of_event(api: &Api, slug: &str, headers: &HeaderMap, query: Query) -> Result<Response, Problem> {
    settle(api, query).await?;
    let listings = api.engine.listings().await?;
    let listing = listings.values().find(|listing| listing.slug == slug).ok_or_else(Problem::not_found)?;
    let runs = RunFilter { public: true, ..RunFilter::default() };
    let asked = Asked { definition: Some(listing.id.clone()), forecasts: true, verified: true, runs, ..Asked::default() };
    respond(api, asked, &listing.content.title, headers).await
}

/// Nothing else was asked, and the rows contain the position that was.
async fn settle(api: &Api, mut query: Query) -> Result<(), Problem> {
    let position = query.min_position();
    query.finish()?;
    position.reached_by(api, &[runs::NAME, definitions::NAME]).await
}

/// The feed of what is asked for.
pub(super) async fn respond(api: &Api, asked: Asked, name: &str, headers: &HeaderMap) -> Result<Response, Problem> {
    let told = gathered(api, asked).await?;
    let feed = spelled(api, &told, name);
    Ok(cached::answer(headers, "text/calendar; charset=utf-8", cached::FEED, feed))
}

/// What a feed is told from.
struct Told {
    entries: Vec<Entry>,
    /// Taken off before there was a run.
    skipped: Vec<Entry>,
    listings: Listings,
    changes: SlotChanges,
}

async fn gathered(api: &Api, asked: Asked) -> Result<Told, Problem> {
    let now = api.now().await?;
    let asked = Asked { runs: RunFilter { from: Some(now - BACK), to: Some(now + AHEAD), ..asked.runs }, ..asked };
    let (mut entries, mut token) = (Vec::new(), None);
    let listings = loop {
        let request = PageRequest { token, limit: Some(MOST) };
        let CalendarPage { page, listings } = api.engine.calendar(&asked, &request, "feed", now).await?;
        entries.extend(page.items);
        token = page.next_page_token;
        if token.is_none() || entries.len() >= LONGEST {
            entries.truncate(LONGEST);
            break listings;
        }
    };
    let skipped = api.engine.skipped(&asked, &listings, now).await?;
    let skipped: Vec<Entry> = skipped.into_iter().take(LONGEST).map(|forecast| Entry::Forecast(Box::new(forecast))).collect();
    let slots = entries.iter().chain(&skipped).filter_map(|entry| Some((entry.definition_id(), entry.slot()?)));
    let changes = definitions::changes(api.engine.log.pool(), &slots.collect::<Vec<_>>()).await?;
    Ok(Told { entries, skipped, listings, changes })
}

impl Told {
    /// Every entry, and whether it was taken off.
    fn all(&self) -> impl Iterator<Item = (&Entry, bool)> {
        let stand = self.entries.iter().map(|entry| (entry, false));
        stand.chain(self.skipped.iter().map(|entry| (entry, true)))
    }

    /// How often people have changed the slot of an entry; it never falls, whether there is a run yet or not.
    fn changes(&self, entry: &Entry) -> u64 {
        let slot = entry.slot().map(|slot| (entry.definition_id().to_owned(), slot));
        slot.and_then(|slot| self.changes.get(&slot)).copied().unwrap_or(0)
    }
}

fn spelled(api: &Api, told: &Told, name: &str) -> String {
    let mut calendar = Calendar::empty();
    for (property, value) in [
        ("VERSION", "2.0"),
        ("PRODID", "-//Leasehold//Events//EN"),
        ("CALSCALE", "GREGORIAN"),
        ("METHOD", "PUBLISH"),
        ("X-PUBLISHED-TTL", REFRESH),
    ] {
        calendar.append_property((property, value));
    }
    calendar.append_property(("X-WR-CALNAME", vevent::line(name).as_str()));
    calendar.append_property(("NAME", vevent::line(name).as_str()));
    calendar.append_property(Property::new("REFRESH-INTERVAL", REFRESH).add_parameter("VALUE", "DURATION").done());
    let zones = api.engine.zones();
    let mut spans = BTreeMap::new();
    let mut events = Vec::new();
    for (entry, off) in told.all() {
        let Some(listing) = told.listings.get(entry.definition_id()) else { continue };
        let zone = zones.find(entry.timezone()).ok().filter(|zone| vevent::is_plain(zone, entry.at()));
        if let Some(zone) = &zone {
            let (_, first, last) = spans.entry(entry.timezone().to_owned()).or_insert((zone.clone(), entry.at(), entry.at()));
            (*first, *last) = (entry.at().min(*first), entry.at().max(*last));
        }
        let standing = vevent::Standing { changes: told.changes(entry), off };
        events.push(vevent::of(entry, listing, standing, zone.as_ref(), api.engine.settings.public_url.as_deref()));
    }
    let head = calendar.to_string();
    let zones = spans.iter().map(|(name, (zone, first, last))| vtimezone::of(name, zone, *first, *last));
    let parts = zones.chain(events).collect::<String>();
    format!("{}{parts}{END}", head.strip_suffix(END).unwrap_or(&head))
}
