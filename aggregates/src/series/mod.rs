//! `series/ID`: an arc that definitions belong to, with a name, a slug that never changes, and a place among the others. Which
//! definitions belong to it is theirs to say, beside their versions.

mod command;
mod decide;
mod event;
mod refusal;

pub use command::SeriesCommand;
pub use event::SeriesEvent;
pub use refusal::SeriesRefusal;

use serde::{Deserialize, Serialize};

/// State of one series; the default is one that does not exist.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    slug: Option<String>,
    arc: Arc,
    deleted: bool,
}

/// What people may change of a series.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arc {
    /// 1 to 120 characters.
    pub name: String,
    /// At most 2,000 characters, in any number of lines.
    pub description: String,
    /// Its place among the series, the lowest first; 0 to 1,000,000. Several may have one place.
    pub order: u32,
}

impl Series {
    pub fn exists(&self) -> bool {
        self.slug.is_some() && !self.deleted
    }

    pub fn slug(&self) -> Option<&str> {
        self.slug.as_deref()
    }

    pub fn arc(&self) -> &Arc {
        &self.arc
    }

    pub fn is_deleted(&self) -> bool {
        self.deleted
    }
}

#[cfg(test)]
mod tests;
