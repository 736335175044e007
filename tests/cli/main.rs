//! The program `leasehold` as somebody starts it: with a PostgreSQL of its own, as the demonstration, and for a look at
//! the log.

#![allow(clippy::unwrap_used, reason = "a test that finds what it did not expect ends there")]

#[path = "../support/world/clock.rs"]
#[allow(dead_code, reason = "a demonstration needs less of it than a world")]
mod clock;
#[path = "../support/world/programs.rs"]
#[allow(dead_code, reason = "the sidecar and the game are started by the demonstration")]
mod programs;
#[path = "../support/mod.rs"]
mod support;

mod asked;
mod auditor;
mod demo;
mod demo_luanti;
mod heads;
mod idle;
mod log;
mod modules;
mod own_database;
mod program;
mod stop;
mod tail;
