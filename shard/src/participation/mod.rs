//! Who takes part in what: an area for each run, and for everybody in it how long they were there and how many fell by their hand.
//!
//! Time is counted in milliseconds, for players who are connected, and never in samples: how often somebody looks may change in the
//! middle. Weights are those of the moment of opening. A tally is part of the save.

mod sweep;
mod tally;

pub use tally::{Member, Tally};

use crate::{config::ParticipationRules, world::Place};
use leasehold_link::wire::{ErrorName, Refusal};
use std::collections::BTreeMap;

/// Tallies that are kept at most, counting and counted; the one that ended first goes first.
const KEPT: usize = 64;

/// Every tally, by run.
#[derive(Debug, Default)]
pub struct Participation {
    tallies: BTreeMap<String, Tally>,
    /// Up to when everybody's time is counted, by the game's clock.
    counted_to_ms: i64,
}

/// What a run asks to have counted.
#[derive(Debug)]
pub struct Opening<'a> {
    pub run: &'a str,
    pub area: Area,
    pub hold_ms: i64,
    /// What a minute and a kill are worth.
    pub weights: Weights,
}

/// A point and how many tiles around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Area {
    pub centre: Place,
    pub radius: u32,
}

/// What the parts of a score are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Weights {
    pub minute: i64,
    pub kill: i64,
}

impl Area {
    /// Whether the point lies in it, its edge too.
    pub fn holds(&self, at: Place) -> bool {
        self.centre.within(at, i32::try_from(self.radius).unwrap_or(i32::MAX))
    }
}

impl Participation {
    /// Begins to count. The same run once more with the same area goes on with the tally that there is.
    pub fn open(&mut self, now_ms: i64, opening: &Opening<'_>, rules: ParticipationRules) -> Result<i64, Refusal> {
        if opening.area.radius > rules.radius {
            let reason = format!("a radius of {} tiles is over this game's ceiling of {}", opening.area.radius, rules.radius);
            return Err(Refusal::new(ErrorName::AreaTooWide, reason).with("ceiling", rules.radius));
        }
        self.forget_old(now_ms, rules);
        if let Some(tally) = self.tallies.get(opening.run) {
            if tally.area == opening.area && tally.is_open(now_ms) {
                return Ok(tally.until_ms);
            }
            let reason = format!("run {} has a tally already, of another area or closed", opening.run);
            return Err(Refusal::new(ErrorName::AlreadyCounted, reason));
        }
        let counting = self.tallies.values().filter(|tally| tally.is_open(now_ms)).count();
        if counting >= rules.runs {
            let reason = format!("{counting} runs are counted already; this game counts {} at once", rules.runs);
            return Err(Refusal::new(ErrorName::TooManyCounted, reason).with("ceiling", rules.runs));
        }
        let until_ms = now_ms.saturating_add(opening.hold_ms);
        self.tallies.insert(opening.run.to_owned(), Tally::new(opening, now_ms, until_ms));
        Ok(until_ms)
    }

    /// Ends the counting; nothing that is counted is no fault. Gives when it ended and how many members there are.
    pub fn close(&mut self, now_ms: i64, run: &str) -> Option<(i64, usize)> {
        let tally = self.tallies.get_mut(run)?;
        let closed_ms = tally.close(now_ms);
        Some((closed_ms, tally.members.len()))
    }

    /// The tally of a run, also after its counting has ended, within its time of grace.
    pub fn of(&self, run: &str) -> Option<&Tally> {
        self.tallies.get(run)
    }

    /// What a save keeps.
    pub fn kept(&self) -> Vec<Tally> {
        self.tallies.values().cloned().collect()
    }

    /// Takes up the tallies of a save. The time in which the game was down counts for nobody.
    pub fn take_up(&mut self, kept: Vec<Tally>, now_ms: i64) {
        self.tallies = kept.into_iter().map(|tally| (tally.run_id.clone(), tally)).collect();
        self.counted_to_ms = now_ms;
    }

    fn forget_old(&mut self, now_ms: i64, rules: ParticipationRules) {
        let grace_ms = i64::try_from(rules.grace_ms).unwrap_or(i64::MAX);
        self.tallies.retain(|_, tally| tally.ended_ms(now_ms).is_none_or(|ended| now_ms - ended < grace_ms));
        while self.tallies.len() >= KEPT {
            let ended = |tally: &Tally| tally.ended_ms(now_ms).unwrap_or(i64::MAX);
            let Some(first) = self.tallies.values().min_by_key(|tally| ended(tally)).map(|tally| tally.run_id.clone()) else {
                return;
            };
            self.tallies.remove(&first);
        }
    }
}

#[cfg(test)]
mod tests;
