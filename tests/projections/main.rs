//! Projections over a real database: rows that equal the fold of their streams, whoever dies in between.

#![allow(clippy::unwrap_used, reason = "a test that finds what it did not expect ends there")]

#[path = "../../projections/tests/bench/mod.rs"]
mod bench;
#[path = "../support/mod.rs"]
mod support;

mod asleep;
mod candidates;
mod counted;
mod definitions;
mod fold;
mod handover;
mod history;
mod in_force;
mod lists;
mod long;
mod poison;
mod rebuild;
mod rows;
mod stories;
mod tables;
mod versions;
