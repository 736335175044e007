//! Taking a hold and giving it back.

use super::{Ground, KeptHold, Offered, Target, Tombstones, catalogue::sort_of};
use crate::world::Dial;
use leasehold_link::wire::{ErrorName, Refusal};
use std::collections::BTreeMap;

/// How many past holds are kept for a late release. The oldest is forgotten beyond.
const PAST_CAP: usize = 1024;

/// A hold in force.
#[derive(Clone, Debug)]
pub(super) struct Hold {
    /// What it is of; none where that went away while the game was down.
    pub target: Option<Target>,
    /// The key of the command that took it: what tells it from every other.
    pub taken_by: String,
    pub run: String,
    pub baseline: String,
    pub applied: String,
    pub deadline_ms: i64,
}

/// A hold whose deadline has passed, kept so that its release gets a verdict.
#[derive(Clone, Debug)]
pub(super) struct Past {
    pub hold: Hold,
    pub restored: bool,
    pub order: u64,
}

/// Who holds what. The ceiling on a hold's length is the game's own.
#[derive(Debug)]
pub struct LeasePlane {
    /// By the one spelling of the key.
    pub(super) holds: BTreeMap<String, Hold>,
    pub(super) past: BTreeMap<(String, String), Past>,
    pub(super) expired_so_far: u64,
    pub(super) max_hold_ms: u64,
    pub offered: Offered,
    /// Of holds that ended and that an older save still has.
    pub tombstones: Tombstones,
}

/// What a run asks to borrow.
#[derive(Debug)]
pub struct Order<'a> {
    pub run: &'a str,
    /// The key of the command.
    pub by: &'a str,
    pub key: &'a str,
    pub value: &'a str,
    pub hold_ms: u64,
}

/// A hold was taken.
#[derive(Debug, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "the names of the wire")]
pub struct Applied {
    pub baseline: String,
    pub applied: String,
    pub until_ms: i64,
}

/// What a release came to.
#[derive(Debug, PartialEq, Eq)]
pub enum Released {
    Restored {
        baseline: String,
        applied: String,
    },
    AlreadyRestored {
        current: String,
    },
    NotHeld {
        current: String,
    },
    Drifted {
        current: String,
        baseline: String,
        applied: String,
    },
    /// What the value belongs to is not there any more: there is nothing to put back.
    TargetGone,
}

impl LeasePlane {
    /// Nothing held, everything offered. Holds longer than that many milliseconds will be refused.
    pub fn new(max_hold_ms: u64) -> Self {
        Self {
            holds: BTreeMap::new(),
            past: BTreeMap::new(),
            expired_so_far: 0,
            max_hold_ms,
            offered: Offered::default(),
            tombstones: Tombstones::default(),
        }
    }

    /// Borrows a value. Everything is judged before anything is written.
    pub fn apply(&mut self, now_ms: i64, order: &Order<'_>, ground: &mut Ground<'_>) -> Result<Applied, Refusal> {
        let target = self.offered_target(order.key, ground)?;
        let key = target.key(ground.world);
        if key != order.key {
            // One value is borrowed under one name, so that whoever asks who has it needs no other.
            let reason = format!("{} goes by {key}, and is lent under no other name", order.key);
            return Err(Refusal::new(ErrorName::UnknownLease, reason).with("goesBy", key));
        }
        let applied = sort_of(&target).judge(&key, order.value)?;
        let hold_ms = self.judge_length(order.hold_ms)?;
        if let Some(hold) = self.holds.get(&key) {
            let reason = format!("{key} is held by run {}", hold.run);
            return Err(Refusal::new(ErrorName::Held, reason).with("holder", hold.run.clone()).with("untilMs", hold.deadline_ms));
        }
        let baseline = ground.read(&target).ok_or_else(|| self.unknown(order.key))?;
        if !ground.write(&target, &applied) {
            return Err(sort_of(&target).no_value(&key, order.value));
        }
        let (until_ms, run) = (now_ms.saturating_add(hold_ms), order.run.to_owned());
        self.past.remove(&(key.clone(), run.clone()));
        let (baseline_of_record, value) = (baseline.clone(), applied.clone());
        let taken_by = order.by.to_owned();
        self.holds.insert(key, Hold { target: Some(target), taken_by, run, baseline, applied, deadline_ms: until_ms });
        Ok(Applied { baseline: baseline_of_record, applied: value, until_ms })
    }

    /// Gives a value back, if it still is what the run applied. A hold that is past is told once and then forgotten.
    pub fn release(&mut self, run: &str, key: &str, applied: &str, ground: &mut Ground<'_>) -> Result<Released, Refusal> {
        let Some(target) = Target::find(key, ground.world) else { return self.release_of_nothing(run, key) };
        let (key, sort) = (target.key(ground.world), sort_of(&target));
        let claimed = sort.canonical(applied).ok_or_else(|| sort.no_value(&key, applied))?;
        let current = ground.read(&target).unwrap_or_default();
        let agree = |hold: &Hold| {
            if hold.applied == claimed {
                return Ok(());
            }
            let reason = format!("run {} applied {} to {key}, not {claimed}; nothing was written", hold.run, hold.applied);
            Err(Refusal::new(ErrorName::AppliedMismatch, reason).with("applied", hold.applied.clone()))
        };
        if let Some(hold) = self.holds.get(&key).filter(|hold| hold.run == run).cloned() {
            agree(&hold)?;
            self.holds.remove(&key);
            self.bury(&key, &hold);
            return Ok(put_back(&target, hold, current, ground));
        }
        let place = (key.clone(), run.to_owned());
        if let Some(past) = self.past.get(&place) {
            agree(&past.hold)?;
            let Past { hold, restored, .. } = past.clone();
            self.past.remove(&place);
            return Ok(if restored {
                Released::AlreadyRestored { current }
            } else {
                Released::Drifted { current, baseline: hold.baseline, applied: hold.applied }
            });
        }
        Ok(Released::NotHeld { current })
    }

    /// A release of what is not there: a spawner that staff took away, or a key that there never was.
    fn release_of_nothing(&mut self, run: &str, key: &str) -> Result<Released, Refusal> {
        let dial = key.strip_prefix("object:").and_then(|rest| Dial::parse(rest.rsplit_once('.')?.1));
        if dial.is_some() {
            if let Some(hold) = self.holds.get(key).filter(|hold| hold.run == run).cloned() {
                self.holds.remove(key);
                self.bury(key, &hold);
            }
            return Ok(Released::TargetGone);
        }
        Err(self.unknown(key))
    }

    fn offered_target(&self, key: &str, ground: &Ground<'_>) -> Result<Target, Refusal> {
        Target::find(key, ground.world).filter(|target| self.offered.has(target)).ok_or_else(|| self.unknown(key))
    }

    fn unknown(&self, key: &str) -> Refusal {
        let shown: String = key.chars().take(80).collect();
        let reason = format!("{shown} is not among the values that may be borrowed; there are {} sorts", self.offered.len());
        Refusal::new(ErrorName::UnknownLease, reason)
    }

    /// Keeps a hold whose deadline has passed.
    pub(super) fn keep_past(&mut self, key: &str, hold: Hold, restored: bool) {
        self.expired_so_far += 1;
        let place = (key.to_owned(), hold.run.clone());
        self.past.insert(place, Past { hold, restored, order: self.expired_so_far });
        if self.past.len() > PAST_CAP
            && let Some(oldest) = self.past.iter().min_by_key(|(_, past)| past.order).map(|(place, _)| place.clone())
        {
            self.past.remove(&oldest);
        }
    }

    /// A hold that a save may still have has ended.
    pub(super) fn bury(&mut self, key: &str, hold: &Hold) {
        if hold.target.is_none_or(|target| !target.restart_restores()) {
            self.tombstones.add(KeptHold::id_of(key, &hold.taken_by), hold.deadline_ms);
        }
    }

    fn judge_length(&self, hold_ms: u64) -> Result<i64, Refusal> {
        if hold_ms == 0 {
            return Err(Refusal::new(ErrorName::BadField, "holdMs must be at least 1"));
        }
        let fits = i64::try_from(hold_ms).ok().filter(|_| hold_ms <= self.max_hold_ms);
        fits.ok_or_else(|| {
            let reason = format!("a hold of {hold_ms} ms is over this game's ceiling of {} ms", self.max_hold_ms);
            Refusal::new(ErrorName::HoldTooLong, reason).with("maxHoldMs", self.max_hold_ms)
        })
    }
}

/// Writes the baseline if the value is what was applied.
pub(super) fn put_back(target: &Target, hold: Hold, current: String, ground: &mut Ground<'_>) -> Released {
    let Hold { baseline, applied, .. } = hold;
    if sort_of(target).same(&current, &applied) && ground.write(target, &baseline) {
        Released::Restored { baseline, applied }
    } else {
        Released::Drifted { current, baseline, applied }
    }
}
