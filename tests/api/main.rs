//! The HTTP API over its real router and a real PostgreSQL, route by route.

#![allow(clippy::unwrap_used, reason = "a test that finds what it did not expect ends there")]

#[path = "../support/mod.rs"]
mod support;

mod accounts;
mod actions;
mod altered;
mod archive;
mod bench;
mod bodies;
mod bundle;
mod calendar;
mod caps;
mod catalog;
mod commits;
mod controls;
mod definitions;
mod doors;
mod erase;
mod exact;
mod exposition;
mod feeds;
mod figures;
mod firings;
mod gates;
mod generations;
mod health;
mod hostile;
mod keyed;
mod lamps;
mod lists;
mod loops;
mod machine;
mod metrics;
mod occurrences;
mod openapi;
mod page;
mod public;
mod published;
mod recurrence;
mod recurrence_reports;
mod replay;
mod retention;
mod revisions;
mod rewound;
mod runs;
mod series;
mod signals;
mod sorted;
mod stopped;
mod sweep;
mod user;
mod verify;
mod versions;
mod waiting;
mod wrong_fields;
mod zones;
