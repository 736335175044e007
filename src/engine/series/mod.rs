//! What people do with series: make one, change what it is called and where it stands, delete it. Each is one append.

mod create;
mod delete;
mod facts;
mod read;
mod revise;

use leasehold_aggregates::series::Series;

/// A series as a command has left it, or as it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesStanding {
    pub id: String,
    pub series: Series,
    /// What an edit must name: the sequence of its newest event.
    pub revision: u64,
    /// Definitions that belong to it.
    pub definitions: u64,
    /// The log's position that shows it, where a command has left it so.
    pub position: u64,
}

/// What deleting came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deleted {
    /// Definitions that belonged to it until then.
    pub detached: u64,
    pub position: u64,
}
