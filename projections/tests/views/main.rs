//! One run in full: what is told of it, and how.

#![allow(clippy::unwrap_used, reason = "a test that finds what it did not expect ends there")]

#[path = "../bench/mod.rs"]
mod bench;

mod chance;
mod controls;
mod detail;
mod diagnosis;
mod difference;
mod script;
mod story;
