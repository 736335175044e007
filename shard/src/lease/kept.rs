//! Holds that outlive the process: those whose value is part of the save, saved with it.
//!
//! A save may be older than a hold's end. The end leaves a tombstone on disk before it is told to anybody; a start that finds a hold with
//! a tombstone ends it once more. A deadline is kept as what is left of it, so that a clock that was put back does not prolong a hold.

use super::{Expiry, Ground, LeasePlane, Target, plane::Hold};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How long a tombstone is kept after its hold's deadline: past that a start ends the hold by itself.
const KEPT_AFTER_MS: i64 = 24 * 3600 * 1000;

/// A hold in a save.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeptHold {
    pub key: String,
    pub taken_by: String,
    pub run_id: String,
    pub baseline: String,
    pub applied: String,
    pub until_ms: i64,
    /// What was left of it when the save was written.
    pub left_ms: i64,
}

impl KeptHold {
    /// What tells a hold from every other.
    pub(super) fn id_of(key: &str, taken_by: &str) -> String {
        format!("{key}|{taken_by}")
    }
}

/// Of holds that ended: which, and until when the tombstone is kept.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub struct Tombstones {
    #[serde(flatten)]
    until_ms: BTreeMap<String, i64>,
    #[serde(skip)]
    unwritten: bool,
}

impl Tombstones {
    pub(super) fn add(&mut self, id: String, deadline_ms: i64) {
        self.until_ms.insert(id, deadline_ms.saturating_add(KEPT_AFTER_MS));
        self.unwritten = true;
    }

    fn has(&self, id: &str) -> bool {
        self.until_ms.contains_key(id)
    }

    /// What to write, if something has to be written since it was last asked.
    pub fn take_unwritten(&mut self, now_ms: i64) -> Option<&Self> {
        if !std::mem::take(&mut self.unwritten) {
            return None;
        }
        self.until_ms.retain(|_, until_ms| *until_ms > now_ms);
        Some(self)
    }
}

impl LeasePlane {
    /// What a save has to keep.
    pub fn kept(&self, now_ms: i64) -> Vec<KeptHold> {
        let kept = self.holds.iter().filter(|(_, hold)| hold.target.is_some_and(|target| !target.restart_restores()));
        let of = |(key, hold): (&String, &Hold)| KeptHold {
            key: key.clone(),
            taken_by: hold.taken_by.clone(),
            run_id: hold.run.clone(),
            baseline: hold.baseline.clone(),
            applied: hold.applied.clone(),
            until_ms: hold.deadline_ms,
            left_ms: hold.deadline_ms.saturating_sub(now_ms).max(0),
        };
        kept.map(of).collect()
    }

    /// Takes up the holds of a save. Those that ended since are ended once more, and given.
    pub fn take_up(&mut self, kept: Vec<KeptHold>, now_ms: i64, ground: &mut Ground<'_>) -> Vec<Expiry> {
        let mut ended = Vec::new();
        for saved in kept {
            let KeptHold { key, taken_by, run_id, baseline, applied, until_ms, left_ms } = saved;
            let deadline_ms = until_ms.min(now_ms.saturating_add(left_ms));
            let over = self.tombstones.has(&KeptHold::id_of(&key, &taken_by));
            let target = Target::find(&key, ground.world);
            self.holds.insert(key.clone(), Hold { target, taken_by, run: run_id, baseline, applied, deadline_ms });
            if over {
                ended.extend(self.end(&key, ground));
            }
        }
        ended
    }
}
