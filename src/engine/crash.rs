//! Crash points of the engine: the log's, under the name by which the engine knows them.

pub use crate::log::crash::point;
