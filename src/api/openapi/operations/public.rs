use crate::api::openapi::operation::{Operation, Shape, get};

const PAGE: &[(u16, Shape)] = &[(200, Shape::Page("PublicEntry")), (304, Shape::Empty)];
const FEED: &[(u16, Shape)] = &[(200, Shape::Text("text/calendar")), (304, Shape::Empty)];

pub const ALL: &[Operation] = &[
    get("/api/v1/public/events", "What is under way and what is to come, the earliest first.")
        .query(&["category", "scope", "series", "tz", "pageToken", "limit", "minPosition"])
        .answers(PAGE),
    get("/api/v1/public/events.ics", "All of it as a feed for calendar programs (RFC 5545): a month back, a year ahead.")
        .query(&["category", "scope", "series", "minPosition"])
        .answers(FEED),
    get("/api/v1/public/events/calendar", "What is, was and will be in a window, the earliest first.")
        .query(&["from", "to", "tz", "category", "scope", "series", "pageToken", "limit", "minPosition"])
        .answers(PAGE),
    get("/api/v1/public/events/{slug}", "One event; with `.ics` behind the slug, its feed.")
        .query(&["tz", "minPosition"])
        .answers(&[(200, Shape::Json("PublicEvent")), (304, Shape::Empty)]),
    get("/api/v1/public/events/series/{slug}", "One arc with its events; with `.ics` behind the slug, its feed.")
        .query(&["tz", "minPosition"])
        .answers(&[(200, Shape::Json("PublicSeries")), (304, Shape::Empty)]),
];
