//! The deadline: the game puts a value back by itself, whether or not anybody is ever heard from again.

use super::{
    catalogue::Lease,
    plane::{LeasePlane, Released, put_back},
};
use crate::config::Config;

/// A deadline that passed.
#[derive(Debug, PartialEq, Eq)]
pub struct Expiry {
    pub key: &'static str,
    pub run: String,
    pub baseline: String,
    pub applied: String,
    /// What the key is now.
    pub current: String,
    /// False where another value was found and left alone.
    pub restored: bool,
}

impl LeasePlane {
    /// Ends every hold whose deadline has come. The record of each is kept for its release.
    pub fn expire(&mut self, now_ms: i64, config: &mut Config) -> Vec<Expiry> {
        let due = self.holds.iter().filter(|(_, hold)| hold.deadline_ms <= now_ms);
        let due: Vec<&'static str> = due.map(|(key, _)| *key).collect();
        due.into_iter().filter_map(|key| self.end(key, config)).collect()
    }

    fn end(&mut self, key: &'static str, config: &mut Config) -> Option<Expiry> {
        let (lease, hold) = (Lease::find(key)?, self.holds.remove(key)?);
        let found = config.get(key).unwrap_or_default().to_owned();
        let restored = matches!(put_back(lease, hold.clone(), found, config), Released::Restored { .. });
        let current = config.get(key).unwrap_or_default().to_owned();
        self.keep_past(key, hold.clone(), restored);
        Some(Expiry { key, run: hold.run, baseline: hold.baseline, applied: hold.applied, current, restored })
    }
}
