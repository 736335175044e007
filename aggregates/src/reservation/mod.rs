//! Reservations: tiny streams that say who has the one of something. `slug/definition/VALUE` names a definition,
//! `slug/series/VALUE` a series, `slot/CONCURRENCY-KEY` the run that excludes others.

mod command;
mod decide;
mod event;
mod key;
mod refusal;

pub use command::ReservationCommand;
pub use event::{SlotEvent, SlugEvent};
pub use key::{KeyTooLong, slot_id, slug_id};
pub use refusal::ReservationRefusal;

use serde::{Deserialize, Serialize};

/// State of one slug: the definition or series that has it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slug {
    holder: Option<String>,
}

/// State of one slot: the run that has it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slot {
    /// The run that held it last, and may still be giving back what it took.
    last: Option<String>,
    holder: Option<String>,
}

impl Slug {
    pub fn holder(&self) -> Option<&str> {
        self.holder.as_deref()
    }
}

impl Slot {
    /// The run that released it last.
    pub fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    pub fn holder(&self) -> Option<&str> {
        self.holder.as_deref()
    }
}

#[cfg(test)]
mod tests;
