//! Seasonal content: shipped occasions that are switched as a whole. The setter generates what belongs to one, or takes it away.

use super::{LANDMARKS, Map, Place, World};
use chrono::{DateTime, Datelike};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// How many pieces belong to an occasion.
const PIECES: i32 = 12;

/// One occasion. It goes by its status, but for one that goes by an era of its own, whatever its status says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Season {
    FellowshipFair,
    GhostsOfSkara,
    HarvestFair,
    KrampusHunt,
    LanternNights,
    PirateTides,
    RisingStorm,
    SpringBloom,
    TokunoTreasures,
}

/// What an occasion is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    Inactive,
    Active,
    /// Active in its own months of the year.
    Seasonal,
}

impl Season {
    pub const ALL: [Self; 9] = [
        Self::FellowshipFair,
        Self::GhostsOfSkara,
        Self::HarvestFair,
        Self::KrampusHunt,
        Self::LanternNights,
        Self::PirateTides,
        Self::RisingStorm,
        Self::SpringBloom,
        Self::TokunoTreasures,
    ];

    /// The occasion of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|season| season.to_string() == word)
    }

    /// First and last month of its time of the year.
    const fn months(self) -> (u32, u32) {
        match self {
            Self::FellowshipFair => (1, 2),
            Self::SpringBloom => (3, 5),
            Self::PirateTides => (6, 7),
            Self::RisingStorm => (8, 8),
            Self::HarvestFair => (9, 10),
            Self::GhostsOfSkara => (10, 11),
            Self::LanternNights => (11, 11),
            Self::KrampusHunt | Self::TokunoTreasures => (12, 12),
        }
    }

    fn in_its_months(self, now_ms: i64) -> bool {
        let (first, last) = self.months();
        DateTime::from_timestamp_millis(now_ms).is_some_and(|now| (first..=last).contains(&now.month()))
    }

    /// Whether that status brings its content at that instant.
    fn is_on(self, status: Status, now_ms: i64) -> bool {
        match (self, status) {
            // Its drops ended with their era; nothing asks its status.
            (Self::TokunoTreasures, _) | (_, Status::Inactive) => false,
            (_, Status::Active) => true,
            (_, Status::Seasonal) => self.in_its_months(now_ms),
        }
    }
}

impl fmt::Display for Season {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl Status {
    pub const ALL: [Self; 3] = [Self::Inactive, Self::Active, Self::Seasonal];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Inactive => "Inactive",
            Self::Active => "Active",
            Self::Seasonal => "Seasonal",
        }
    }

    /// The status of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == word)
    }
}

/// What every occasion is set to, and the content that is there because of it.
#[derive(Debug)]
pub struct Seasons {
    statuses: BTreeMap<Season, Status>,
    pieces: BTreeMap<Season, Vec<Place>>,
    /// Occasions whose setter does nothing: a fault that the console may cause.
    pub inert: BTreeSet<Season>,
}

impl Default for Seasons {
    fn default() -> Self {
        let statuses = Season::ALL.into_iter().map(|season| (season, Status::Inactive)).collect();
        Self { statuses, pieces: BTreeMap::new(), inert: BTreeSet::new() }
    }
}

impl Seasons {
    pub fn status(&self, season: Season) -> Status {
        self.statuses.get(&season).copied().unwrap_or(Status::Inactive)
    }

    /// How many pieces of content are in the world because of it.
    pub fn pieces(&self, season: Season) -> usize {
        self.pieces.get(&season).map_or(0, Vec::len)
    }

    /// What a save keeps.
    pub const fn statuses(&self) -> &BTreeMap<Season, Status> {
        &self.statuses
    }
}

impl World {
    /// Sets an occasion. What belongs to it comes or goes.
    pub fn set_season(&mut self, season: Season, status: Status) {
        self.seasons.statuses.insert(season, status);
        self.show_season(season);
    }

    /// Has every occasion show what its status says at this instant: those of the year come and go with their months.
    pub(super) fn show_seasons(&mut self) {
        for season in Season::ALL {
            self.show_season(season);
        }
    }

    fn show_season(&mut self, season: Season) {
        if self.seasons.inert.contains(&season) {
            return;
        }
        let on = season.is_on(self.seasons.status(season), self.now_ms);
        match (on, self.seasons.pieces.contains_key(&season)) {
            (true, false) => drop(self.seasons.pieces.insert(season, content())),
            (false, true) => drop(self.seasons.pieces.remove(&season)),
            _ => (),
        }
    }
}

/// Where the pieces of an occasion stand: a ring around the first landmark of each facet.
fn content() -> Vec<Place> {
    let firsts = Map::ALL.into_iter().filter_map(|map| LANDMARKS.iter().find(|landmark| landmark.map == map));
    let ring = |piece: i32| (piece % 4 * 6 - 9, piece / 4 * 6 - 6);
    let around = |landmark: &super::Landmark| {
        let at = (landmark.map, landmark.x, landmark.y);
        (0..PIECES / 2).map(move |piece| Place { map: at.0, x: at.1 + ring(piece).0, y: at.2 + ring(piece).1 })
    };
    firsts.flat_map(around).collect()
}
