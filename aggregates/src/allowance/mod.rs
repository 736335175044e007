//! `allowance/DIMENSION/DAY`: what all runs together have drawn on one dimension on one day, in UTC. Kept for dimensions that
//! the deployment caps by the day; what was drawn before it did is counted into it with the first draw after.

mod command;
mod decide;
mod event;
mod refusal;

pub use command::{AllowanceCommand, Counted};
pub use event::AllowanceEvent;
pub use refusal::AllowanceRefusal;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

/// State of one day's allowance.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    drawn: u64,
    /// By which of the deployment's events the day was bounded when it was last counted; 0: it was not.
    capped_by: u64,
}

impl Allowance {
    /// Whether all draws are in it that were made before that event of the deployment bounded the day.
    pub fn is_counted(&self, capped_by: u64) -> bool {
        self.capped_by == capped_by
    }

    pub fn drawn(&self) -> u64 {
        self.drawn
    }
}

/// What one dimension may be drawn on in the day of a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DayMeter {
    pub day: NaiveDate,
    pub cap: u64,
    pub drawn: u64,
}

/// The id of a day's stream: `demo.lamps/2027-03-28`.
pub fn allowance_id(dimension: &str, at: DateTime<Utc>) -> String {
    format!("{dimension}/{}", at.date_naive())
}

#[cfg(test)]
mod tests;
