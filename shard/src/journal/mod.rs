//! The journal: what must be known after a crash, on disk before it is acted upon.
//!
//! A key is written and flushed before its handler runs, its answer after. After a restart a key with an answer replays and one
//! without is interrupted and never runs. Rows of the audit stand in it beside the answers that they belong to, so that one flush
//! does for both; the trail takes in what it lacks of them. The file is rewritten when most of it is history, so it stays bounded.

mod file;
mod record;

pub use file::{Journal, JournalFailure, Opened};
pub use record::Record;

#[cfg(test)]
mod tests;
