//! One run's tally.

use super::{Area, Opening, Weights};
use crate::config::Decimal;
use leasehold_link::wire::Serial;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Who was where, for one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    pub run_id: String,
    pub area: Area,
    pub weights: Weights,
    pub opened_ms: i64,
    /// When the game ends the counting by itself.
    pub until_ms: i64,
    #[serde(default)]
    pub closed_ms: Option<i64>,
    pub members: BTreeMap<Serial, Member>,
    /// Whom the cap has turned away.
    #[serde(default)]
    pub turned_away: BTreeSet<Serial>,
}

/// One of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    pub present_ms: u64,
    pub kills: u32,
    pub first_ms: i64,
    pub last_ms: i64,
}

impl Member {
    /// Whole seconds of presence.
    pub const fn seconds(&self) -> u64 {
        self.present_ms / 1000
    }

    /// What it comes to: a decimal of four digits at most.
    pub fn score(&self, weights: Weights) -> Decimal {
        let minutes = Decimal::from(self.seconds()) / Decimal::from(60);
        let score = minutes * Decimal::from(weights.minute) + Decimal::from(self.kills) * Decimal::from(weights.kill);
        score.round_dp(4).normalize()
    }
}

impl Tally {
    pub(super) fn new(opening: &Opening<'_>, opened_ms: i64, until_ms: i64) -> Self {
        let (run_id, area, weights) = (opening.run.to_owned(), opening.area, opening.weights);
        let (members, turned_away) = (BTreeMap::new(), BTreeSet::new());
        Self { run_id, area, weights, opened_ms, until_ms, closed_ms: None, members, turned_away }
    }

    /// Whether it counts at that instant.
    pub const fn is_open(&self, now_ms: i64) -> bool {
        self.ended_ms(now_ms).is_none()
    }

    /// When the counting ended, if it has.
    pub const fn ended_ms(&self, now_ms: i64) -> Option<i64> {
        match self.closed_ms {
            Some(closed) => Some(closed),
            None if self.until_ms <= now_ms => Some(self.until_ms),
            None => None,
        }
    }

    pub(super) fn close(&mut self, now_ms: i64) -> i64 {
        *self.closed_ms.get_or_insert(self.until_ms.min(now_ms))
    }

    /// The entry of somebody who is in the area; none where there is no room for one more.
    pub(super) fn member(&mut self, who: Serial, most: usize, now_ms: i64) -> Option<&mut Member> {
        if !self.members.contains_key(&who) && self.members.len() >= most {
            self.turned_away.insert(who);
            return None;
        }
        let member = self.members.entry(who).or_insert(Member { first_ms: now_ms, ..Member::default() });
        member.last_ms = now_ms;
        Some(member)
    }
}
