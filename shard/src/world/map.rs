//! Maps and the places on them that have a name.

use serde::{Deserialize, Serialize};

/// A map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Map {
    Felucca,
    Trammel,
}

impl Landmark {
    /// The place of that name.
    pub fn named(id: &str) -> Option<&'static Self> {
        LANDMARKS.iter().find(|landmark| landmark.id == id)
    }

    /// The point that it names.
    pub const fn at(&self) -> Place {
        Place { map: self.map, x: self.x, y: self.y }
    }
}

impl Map {
    /// Every map.
    pub const ALL: [Self; 2] = [Self::Felucca, Self::Trammel];
    /// Tiles from west to east.
    pub const WIDTH: i32 = 7168;
    /// Tiles from north to south.
    pub const HEIGHT: i32 = 4096;

    /// The word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Felucca => "Felucca",
            Self::Trammel => "Trammel",
        }
    }

    /// The map of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|map| map.name() == name)
    }

    /// Whether the point lies on it.
    pub fn contains(x: i32, y: i32) -> bool {
        (0..Self::WIDTH).contains(&x) && (0..Self::HEIGHT).contains(&y)
    }
}

/// A point on a facet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub map: Map,
    pub x: i32,
    pub y: i32,
}

impl Place {
    /// A point of Felucca.
    pub(super) const fn felucca(x: i32, y: i32) -> Self {
        Self { map: Map::Felucca, x, y }
    }

    /// Whether the other point is on the same facet, at most that many tiles away in either direction.
    pub fn within(self, other: Self, tiles: i32) -> bool {
        self.map == other.map && self.x.abs_diff(other.x).max(self.y.abs_diff(other.y)) <= tiles.unsigned_abs()
    }
}

/// A place with a name.
#[derive(Debug, Serialize)]
pub struct Landmark {
    pub id: &'static str,
    pub map: Map,
    pub x: i32,
    pub y: i32,
}

const fn landmark(id: &'static str, map: Map, x: i32, y: i32) -> Landmark {
    Landmark { id, map, x, y }
}

/// Every place with a name.
pub const LANDMARKS: &[Landmark] = &[
    landmark("yew-orchard", Map::Felucca, 540, 992),
    landmark("britain-bank", Map::Felucca, 1434, 1699),
    landmark("britain-graveyard", Map::Felucca, 1385, 1497),
    landmark("minoc-mines", Map::Felucca, 2558, 498),
    landmark("trinsic-gate", Map::Felucca, 1832, 2779),
    landmark("moonglow-docks", Map::Trammel, 4406, 1045),
    landmark("skara-farms", Map::Trammel, 816, 2252),
    landmark("vesper-bridge", Map::Trammel, 2892, 685),
];
