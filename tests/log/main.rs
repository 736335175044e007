//! The log, attacked and used: what the schema promises, whoever writes.

#![allow(clippy::unwrap_used, reason = "a test that finds what it did not expect ends there")]

#[path = "../support/mod.rs"]
mod support;

mod append;
mod archive;
mod bench;
mod beside;
mod commit;
mod embedded;
mod engines;
mod group;
mod guard;
mod killed;
mod leadership;
mod nudge;
mod order;
mod outage;
mod payload;
mod postgres_es;
mod recent;
mod refusals;
mod restore;
mod schema;
mod tamper;
mod topics;
