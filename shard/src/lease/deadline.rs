//! The deadline: the game puts a value back by itself, whether or not anybody is ever heard from again.

use super::{
    Ground,
    plane::{Hold, LeasePlane, Released, put_back},
};

/// A hold that the game ended by itself.
#[derive(Debug, PartialEq, Eq)]
pub struct Expiry {
    pub key: String,
    pub run: String,
    pub baseline: String,
    pub applied: String,
    /// What the value is now; empty where what it belongs to is gone.
    pub current: String,
    /// False where another value was found and left alone.
    pub restored: bool,
}

impl LeasePlane {
    /// Ends every hold whose deadline has come. The record of each is kept for its release.
    pub fn expire(&mut self, now_ms: i64, ground: &mut Ground<'_>) -> Vec<Expiry> {
        let due = self.holds.iter().filter(|(_, hold)| hold.deadline_ms <= now_ms);
        let due: Vec<String> = due.map(|(key, _)| key.clone()).collect();
        due.into_iter().filter_map(|key| self.end(&key, ground)).collect()
    }

    /// Ends a hold as its deadline does.
    pub(super) fn end(&mut self, key: &str, ground: &mut Ground<'_>) -> Option<Expiry> {
        let hold = self.holds.remove(key)?;
        self.bury(key, &hold);
        let target = hold.target.filter(|target| ground.read(target).is_some());
        let restored = target.is_some_and(|target| {
            let found = ground.read(&target).unwrap_or_default();
            matches!(put_back(&target, hold.clone(), found, ground), Released::Restored { .. })
        });
        let current = target.and_then(|target| ground.read(&target)).unwrap_or_default();
        self.keep_past(key, hold.clone(), restored);
        let Hold { run, baseline, applied, .. } = hold;
        Some(Expiry { key: key.to_owned(), run, baseline, applied, current, restored })
    }
}
