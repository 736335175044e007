//! The sidecar as a process: what it carries, what it answers itself, and what it survives.

#![allow(clippy::unwrap_used, reason = "what the support of a test cannot do, fails the test")]

mod carries;
mod feeds;
#[path = "../fuzz/mod.rs"]
mod fuzz;
mod hostile;
mod offers;
mod polls;
mod refuses;
mod remembers;
mod scopes;
mod streams;
mod support;
mod survives;
mod transcript;
mod transcripts;
