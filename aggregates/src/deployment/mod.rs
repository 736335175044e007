//! `deployment/one`: what holds for the whole installation: which rewinds of the log a person has accepted, in which windows
//! nothing starts by its schedule, whether everything is stopped, what may be spent in a day, and by which zone data instants were
//! last worked out.
//!
//! A *rewind* is what the world can tell of a log that was put back to an older copy, or replaced: somebody out there was sent
//! commands from a place that this log does not hold.

mod command;
mod decide;
mod event;
mod freeze;
mod refusal;
mod stop;

pub use command::DeploymentCommand;
pub use event::{DeploymentEvent, FreezeScope};
pub use freeze::{Freeze, Frozen};
pub use refusal::DeploymentRefusal;
pub use stop::{Barred, Stop, StopRuns};

use std::collections::BTreeMap;

use leasehold_module::Mark;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The id of the one stream.
pub const DEPLOYMENT: &str = "one";

/// State of the deployment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deployment {
    /// By scope, the last place beyond this log that was accepted.
    accepted: BTreeMap<String, Mark>,
    /// By id.
    freezes: BTreeMap<Uuid, Freeze>,
    zone_data: Option<String>,
    stop: Option<Stop>,
    /// What all runs together may draw in a day, by dimension.
    day_caps: BTreeMap<String, u64>,
    /// By dimension, the sequence of the event that has bounded it where it was not.
    day_capped_by: BTreeMap<String, u64>,
    /// Events so far.
    version: u64,
}

impl Deployment {
    /// The release of the zone data that was last recorded.
    pub fn zone_data(&self) -> Option<&str> {
        self.zone_data.as_deref()
    }

    /// What all runs together may draw in a day, by dimension; what is not named is not bounded so.
    pub fn day_caps(&self) -> &BTreeMap<String, u64> {
        &self.day_caps
    }

    /// The sequence, in this stream, of the event since which a day of the dimension is bounded without a break.
    pub fn day_capped_by(&self, dimension: &str) -> Option<u64> {
        self.day_capped_by.get(dimension).copied()
    }

    /// Whether a person has accepted that commands to this scope came from there.
    pub fn has_accepted(&self, scope: &str, seen: &Mark) -> bool {
        self.accepted.get(scope) == Some(seen)
    }
}

impl Deployment {
    fn cap_day(&mut self, dimension: String, cap: Option<u64>) {
        let Some(cap) = cap else {
            self.day_caps.remove(&dimension);
            self.day_capped_by.remove(&dimension);
            return;
        };
        self.day_capped_by.entry(dimension.clone()).or_insert(self.version);
        self.day_caps.insert(dimension, cap);
    }
}

/// How a place that was seen is not a place of this log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RewindCause {
    /// The log ends before it: its tail is missing.
    Behind,
    /// The log has another event there: it was put back and has gone on differently.
    OtherHistory,
    /// It is a place of another log.
    OtherLog,
}

/// Whether `seen` lies outside the log that ends at `head`; `here` is the hash that this log holds at that position, if it
/// reaches so far.
pub fn rewind_cause(seen: &Mark, head: &Mark, here: Option<&str>) -> Option<RewindCause> {
    if seen.log != head.log {
        Some(RewindCause::OtherLog)
    } else if seen.position > head.position {
        Some(RewindCause::Behind)
    } else if here != Some(seen.hash.as_str()) {
        Some(RewindCause::OtherHistory)
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
