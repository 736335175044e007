//! Altars: where champions rise. An altar's own region has no name, and lies in one that has.

use super::{Creature, Place, World};
use leasehold_link::wire::Serial;
use serde::{Deserialize, Serialize};

/// Which family a champion is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    Champion,
    Sea,
}

/// What makes a creature a champion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Champion {
    pub category: Category,
    /// The altar that it rose at; none of one that staff made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub altar: Option<Serial>,
}

/// One altar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Altar {
    pub serial: Serial,
    #[serde(rename = "type")]
    pub sort: String,
    pub category: Category,
    pub level: u8,
    #[serde(flatten)]
    pub at: Place,
    pub boss: String,
    /// The champion that is up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risen: Option<Serial>,
}

/// What stands in a new world: sort, family, champion, and where.
pub(super) const ALTARS: [(&str, Category, &str, Place); 4] = [
    ("Abyss", Category::Champion, "Semidar", Place::felucca(1380, 1490)),
    ("Forest Lord", Category::Champion, "Lord Oaks", Place::felucca(545, 990)),
    ("Vermin Horde", Category::Champion, "Barracoon", Place::felucca(5150, 620)),
    ("High Seas", Category::Sea, "Charydbis", Place::felucca(4400, 3600)),
];

/// How much a champion takes before it falls.
const HITS: u32 = 1_000;

impl World {
    /// Has the champion of an altar rise; none where there is no such altar, or its champion is up.
    pub fn raise(&mut self, altar: Serial) -> Option<Serial> {
        let found = self.altars.get(&altar).filter(|altar| altar.risen.is_none())?;
        let (boss, at, category) = (found.boss.clone(), found.at, found.category);
        let risen = self.make_champion(boss, at, Champion { category, altar: Some(altar) });
        if let Some(altar) = self.altars.get_mut(&altar) {
            altar.risen = Some(risen);
        }
        Some(risen)
    }

    /// Makes a champion, of an altar or of nobody's.
    pub fn make_champion(&mut self, boss: String, at: Place, champion: Champion) -> Serial {
        let serial = self.take_serial();
        let wild = Creature::wild(serial, boss, at.map, (at.x, at.y), 4);
        self.settle(Creature { champion: Some(champion), hits: HITS, ..wild });
        serial
    }

    /// An altar loses its champion, however that came.
    pub(super) fn forget_champion(&mut self, champion: &Creature) {
        let altar = champion.champion.and_then(|of| of.altar);
        if let Some(altar) = altar.and_then(|altar| self.altars.get_mut(&altar))
            && altar.risen == Some(champion.serial)
        {
            altar.risen = None;
        }
    }
}
