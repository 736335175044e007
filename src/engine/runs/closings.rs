//! Which runs have been closed in their games lately. A close is said once for many undos: whatever the run's steps had claimed
//! lies below its fence for good, and only a game that has lost its memory meanwhile could still take it. So it is said again
//! when an undo comes a minute later.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};

/// For how long a game's yes is relied on.
const RELIED_ON: TimeDelta = TimeDelta::minutes(1);
/// Runs that are remembered before those of the past are looked for.
const MANY: usize = 256;

/// By run and module: when the game said that the run is closed.
#[derive(Debug, Default)]
pub(in crate::engine) struct Closings(Mutex<HashMap<(String, String), DateTime<Utc>>>);

impl Closings {
    /// Whether the run was closed there within the last minute. A clock that has gone back measures nothing.
    pub fn lately(&self, run_id: &str, module: &str, now: DateTime<Utc>) -> bool {
        let closed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        closed.get(&(run_id.to_owned(), module.to_owned())).is_some_and(|at| lately(*at, now))
    }

    pub fn closed(&self, run_id: &str, module: &str, now: DateTime<Utc>) {
        let mut closed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if closed.len() >= MANY {
            closed.retain(|_, at| lately(*at, now));
        }
        closed.insert((run_id.to_owned(), module.to_owned()), now);
    }
}

fn lately(at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    (TimeDelta::zero()..RELIED_ON).contains(&(now - at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + second, 0).unwrap()
    }

    #[test]
    fn a_close_is_relied_on_for_a_minute_and_for_that_run_and_module_alone() {
        let closings = Closings::default();
        assert!(!closings.lately("r", "demo", at(0)));
        closings.closed("r", "demo", at(0));
        assert!(closings.lately("r", "demo", at(0)) && closings.lately("r", "demo", at(59)));
        assert!(!closings.lately("r", "demo", at(60)) && !closings.lately("r", "demo", at(-1)));
        assert!(!closings.lately("s", "demo", at(1)) && !closings.lately("r", "other", at(1)));
    }

    #[test]
    fn the_past_is_forgotten() {
        let closings = Closings::default();
        for run in 0..MANY {
            closings.closed(&run.to_string(), "demo", at(0));
        }
        closings.closed("new", "demo", at(60));
        assert_eq!(closings.0.lock().unwrap().len(), 1);
    }
}
