//! What may be borrowed, if a probe finds that it takes effect.

use super::{Target, sort::Sort};
use crate::world::{COUNT_MAX, DELAY_MAX_SEC, Dial, Season};
use leasehold_link::wire::Reach;
use std::collections::BTreeSet;

/// A key of the configuration that may be borrowed; all of them are whole numbers.
#[derive(Debug)]
pub struct ConfigLease {
    pub key: &'static str,
    pub min: i64,
    pub max: i64,
    pub reaches: Reach,
}

const fn lease(key: &'static str, min: i64, max: i64, reaches: Reach) -> ConfigLease {
    ConfigLease { key, min, max, reaches }
}

/// The candidates of the configuration. One of them is read at the start only, and stands here to show that its probe finds out.
pub const CATALOGUE: &[ConfigLease] = &[
    lease("Accounts.AccountsPerIp", 1, 10, Reach::NewJoins),
    lease("Combat.DamagePercent", 50, 300, Reach::Everyone),
    lease("PlayerCaps.SkillCap", 100, 1200, Reach::NewJoins),
    lease("PlayerCaps.StatCap", 125, 300, Reach::NewJoins),
];

impl ConfigLease {
    /// The candidate of that key.
    pub fn find(key: &str) -> Option<&'static Self> {
        CATALOGUE.iter().find(|lease| lease.key == key)
    }
}

/// What the last probe found to take effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    pub config: BTreeSet<&'static str>,
    pub dials: BTreeSet<Dial>,
    pub seasons: BTreeSet<Season>,
}

impl Default for Offered {
    /// Every candidate, as before any probe.
    fn default() -> Self {
        Self { config: CATALOGUE.iter().map(|lease| lease.key).collect(), dials: Dial::ALL.into(), seasons: Season::ALL.into() }
    }
}

impl Offered {
    /// Whether that is among it.
    pub fn has(&self, target: &Target) -> bool {
        match target {
            Target::Config(key) => self.config.contains(key),
            Target::Dial(_, dial) => self.dials.contains(dial),
            Target::Season(season) => self.seasons.contains(season),
        }
    }

    /// How many kinds of values there are.
    pub fn len(&self) -> usize {
        self.config.len() + self.dials.len() + self.seasons.len()
    }
}

/// What values a target takes.
pub fn sort_of(target: &Target) -> Sort {
    match target {
        Target::Config(key) => ConfigLease::find(key).map_or(Sort::Bool, |lease| Sort::Int { min: lease.min, max: lease.max }),
        Target::Dial(_, Dial::MaxCount) => Sort::Int { min: 0, max: COUNT_MAX.into() },
        Target::Dial(_, Dial::MinDelay | Dial::MaxDelay) => Sort::Int { min: 1, max: DELAY_MAX_SEC.into() },
        Target::Dial(_, Dial::Running) => Sort::Bool,
        Target::Season(_) => Sort::Status,
    }
}

/// Whom a changed value reaches.
pub fn reach_of(target: &Target) -> Reach {
    match target {
        Target::Config(key) => ConfigLease::find(key).map_or(Reach::Everyone, |lease| lease.reaches),
        Target::Dial(..) | Target::Season(_) => Reach::Everyone,
    }
}
