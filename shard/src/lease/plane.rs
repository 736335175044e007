//! Taking a hold, giving it back, and telling who has what.

use super::catalogue::{CATALOGUE, Lease};
use crate::config::{Config, Decimal, whole};
use leasehold_link::wire::{ErrorName, Held, LeaseRow, Refusal};
use std::collections::BTreeMap;

/// How many past holds are kept for a late release. The oldest is forgotten beyond.
const PAST_CAP: usize = 1024;

/// A hold in force.
#[derive(Clone, Debug)]
pub(super) struct Hold {
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
    pub(super) holds: BTreeMap<&'static str, Hold>,
    pub(super) past: BTreeMap<(&'static str, String), Past>,
    pub(super) expired_so_far: u64,
    max_hold_ms: u64,
}

/// What a run asks to borrow.
#[derive(Debug)]
pub struct Order<'a> {
    pub run: &'a str,
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
    Restored { baseline: String, applied: String },
    AlreadyRestored { current: String },
    NotHeld { current: String },
    Drifted { current: String, baseline: String, applied: String },
}

impl LeasePlane {
    /// Nothing held. Holds longer than that many milliseconds will be refused.
    pub const fn new(max_hold_ms: u64) -> Self {
        Self { holds: BTreeMap::new(), past: BTreeMap::new(), expired_so_far: 0, max_hold_ms }
    }

    /// Borrows a value. Everything is judged before anything is written.
    pub fn apply(&mut self, now_ms: i64, order: &Order<'_>, config: &mut Config) -> Result<Applied, Refusal> {
        let lease = find(order.key)?;
        let applied = judge_value(lease, order.value)?.to_string();
        let hold_ms = self.judge_length(order.hold_ms)?;
        if let Some(hold) = self.holds.get(lease.key) {
            let reason = format!("{} is held by run {}", lease.key, hold.run);
            return Err(Refusal::new(ErrorName::Held, reason).with("holder", hold.run.clone()).with("untilMs", hold.deadline_ms));
        }
        let baseline = config.get(lease.key).unwrap_or_default().to_owned();
        let until_ms = now_ms.saturating_add(hold_ms);
        config.set(lease.key, &applied).map_err(|fault| Refusal::new(ErrorName::BadValue, fault.to_string()))?;
        self.past.remove(&(lease.key, order.run.to_owned()));
        let hold =
            Hold { run: order.run.to_owned(), baseline: baseline.clone(), applied: applied.clone(), deadline_ms: until_ms };
        self.holds.insert(lease.key, hold);
        Ok(Applied { baseline, applied, until_ms })
    }

    /// Gives a value back, if it still is what the run applied. A hold that is past is told once and then forgotten.
    pub fn release(&mut self, run: &str, key: &str, applied: &str, config: &mut Config) -> Result<Released, Refusal> {
        let lease = find(key)?;
        let claimed = whole(applied).ok_or_else(|| not_a_number(lease, applied))?;
        let current = config.get(lease.key).unwrap_or_default().to_owned();
        if self.holds.get(lease.key).is_some_and(|hold| hold.run == run) {
            let hold = self.holds[lease.key].clone();
            agree(lease, &hold, claimed)?;
            self.holds.remove(lease.key);
            return Ok(put_back(lease, hold, current, config));
        }
        let place = (lease.key, run.to_owned());
        if let Some(past) = self.past.get(&place) {
            agree(lease, &past.hold, claimed)?;
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

    /// Every value that may be borrowed, with the hold in force or, where there is none, the newest that is past.
    pub fn rows(&self, config: &Config) -> Vec<LeaseRow> {
        CATALOGUE.iter().map(|lease| self.row(lease, config)).collect()
    }

    fn row(&self, lease: &Lease, config: &Config) -> LeaseRow {
        let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
        let in_force = self.holds.get(lease.key).map(|hold| held(hold, false, false));
        let newest = self.past.iter().filter(|((key, _), _)| *key == lease.key).max_by_key(|(_, past)| past.order);
        LeaseRow {
            key: lease.key.to_owned(),
            value_type: "int".to_owned(),
            current: text(config.get(lease.key)),
            default: text(config.loaded(lease.key)),
            min: lease.min.to_string(),
            max: lease.max.to_string(),
            max_hold_ms: self.max_hold_ms,
            reaches: lease.reaches,
            held: in_force.or_else(|| newest.map(|(_, past)| held(&past.hold, true, past.restored))),
        }
    }

    /// Keeps a hold whose deadline has passed.
    pub(super) fn keep_past(&mut self, key: &'static str, hold: Hold, restored: bool) {
        self.expired_so_far += 1;
        let place = (key, hold.run.clone());
        self.past.insert(place, Past { hold, restored, order: self.expired_so_far });
        if self.past.len() > PAST_CAP
            && let Some(oldest) = self.past.iter().min_by_key(|(_, past)| past.order).map(|(place, _)| place.clone())
        {
            self.past.remove(&oldest);
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
pub(super) fn put_back(lease: &Lease, hold: Hold, current: String, config: &mut Config) -> Released {
    let Hold { baseline, applied, .. } = hold;
    if whole(&current) == whole(&applied) && config.set(lease.key, &baseline).is_ok() {
        Released::Restored { baseline, applied }
    } else {
        Released::Drifted { current, baseline, applied }
    }
}

fn held(hold: &Hold, expired: bool, restored: bool) -> Held {
    let Hold { run, baseline, applied, deadline_ms } = hold.clone();
    Held { run_id: run, baseline, applied, until_ms: deadline_ms, expired, restored }
}

fn find(key: &str) -> Result<&'static Lease, Refusal> {
    Lease::find(key).ok_or_else(|| {
        let shown: String = key.chars().take(80).collect();
        Refusal::new(ErrorName::UnknownLease, format!("{shown} is not among the {} values that may be borrowed", CATALOGUE.len()))
    })
}

fn not_a_number(lease: &Lease, text: &str) -> Refusal {
    let shown: String = text.chars().take(80).collect();
    Refusal::new(ErrorName::BadValue, format!("{} takes a whole number, not `{shown}`", lease.key))
}

fn judge_value(lease: &Lease, text: &str) -> Result<Decimal, Refusal> {
    let value = whole(text).ok_or_else(|| not_a_number(lease, text))?;
    if (Decimal::from(lease.min)..=Decimal::from(lease.max)).contains(&value) {
        return Ok(value);
    }
    let reason = format!("{} takes {} to {}, not {value}", lease.key, lease.min, lease.max);
    Err(Refusal::new(ErrorName::OutOfRange, reason).with("min", lease.min.to_string()).with("max", lease.max.to_string()))
}

fn agree(lease: &Lease, hold: &Hold, claimed: Decimal) -> Result<(), Refusal> {
    if whole(&hold.applied) == Some(claimed) {
        return Ok(());
    }
    let reason = format!("run {} applied {} to {}, not {claimed}; nothing was written", hold.run, hold.applied, lease.key);
    Err(Refusal::new(ErrorName::AppliedMismatch, reason).with("applied", hold.applied.clone()))
}
