//! The journal: what must be known after a crash, on disk before it is acted upon.
//!
//! A key is written and flushed before its handler runs, its answer after. After a restart a key with an answer replays and one
//! without is interrupted and never runs. The file is rewritten when most of it is history, so it stays bounded.

mod file;
mod record;

pub use file::{Journal, JournalFailure};
pub use record::Record;

#[cfg(test)]
mod tests;
