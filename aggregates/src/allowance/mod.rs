//! `allowance/DIMENSION/DAY`: what all runs together have drawn on one dimension on one day, in UTC. Kept for dimensions that
//! the deployment caps by the day, from the moment on at which it does.

mod command;
mod decide;
mod event;
mod refusal;

pub use command::AllowanceCommand;
pub use event::AllowanceEvent;
pub use refusal::AllowanceRefusal;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

/// State of one day's allowance.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    drawn: u64,
}

impl Allowance {
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
