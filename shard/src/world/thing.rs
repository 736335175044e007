//! Objects that a run owns beside its creatures: persons, gates, decoration, notices. The registry is part of the save.

use super::{Map, Owner, Place, World};
use leasehold_link::wire::{NpcLine, Serial};
use serde::{Deserialize, Serialize};

/// One object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Thing {
    pub serial: Serial,
    #[serde(flatten)]
    pub what: What,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hue: Option<u16>,
    pub owner: Owner,
    /// When the game takes it away by itself, by its clock, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<i64>,
}

/// What an object is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum What {
    /// Greets whoever comes near and answers to words.
    Npc {
        at: Place,
        name: String,
        greeting: String,
        lines: Vec<NpcLine>,
    },
    /// One of the two ends of a gate.
    Gate {
        at: Place,
        to: Place,
    },
    Decoration {
        at: Place,
        item: String,
        graphic: u32,
    },
    /// Cried by the town criers. Not in the save: criers know nothing after a restart.
    Crier {
        notice: String,
        lines: Vec<String>,
    },
    /// An article of the news board.
    News {
        notice: String,
        title: String,
        text: String,
    },
}

/// What stands behind a serial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing<'a> {
    Gone,
    /// It is there and no run made it.
    Nobodys,
    Owned(&'a Owner),
}

/// What a look at a serial came to: three answers, because what is merely not loaded is not gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    Present,
    Gone,
    /// It may be there: the facet that it is on, or any that it could be on, is not loaded.
    NotLoaded,
}

impl What {
    /// The word for its sort.
    pub const fn sort(&self) -> &'static str {
        match self {
            Self::Npc { .. } => "npc",
            Self::Gate { .. } => "gate",
            Self::Decoration { .. } => "decoration",
            Self::Crier { .. } => "crier",
            Self::News { .. } => "news",
        }
    }

    /// The facet that it stands on; a notice stands on none.
    const fn facet(&self) -> Option<Map> {
        match self {
            Self::Npc { at, .. } | Self::Gate { at, .. } | Self::Decoration { at, .. } => Some(at.map),
            Self::Crier { .. } | Self::News { .. } => None,
        }
    }

    /// The name of a notice.
    pub fn notice(&self) -> Option<&str> {
        match self {
            Self::Crier { notice, .. } | Self::News { notice, .. } => Some(notice),
            _ => None,
        }
    }

    /// Whether a save keeps it.
    pub const fn is_saved(&self) -> bool {
        !matches!(self, Self::Crier { .. })
    }

    /// What a person says to those words, or to somebody who comes near without a word. `None` of whatever does not speak, or
    /// knows none of the words.
    pub fn says(&self, words: &str) -> Option<&str> {
        let Self::Npc { greeting, lines, .. } = self else { return None };
        if words.is_empty() {
            return Some(greeting);
        }
        let words = words.to_lowercase();
        lines.iter().find(|line| words.contains(&line.keyword.to_lowercase())).map(|line| line.text.as_str())
    }
}

impl World {
    /// Makes an object. Its fields were judged before.
    pub fn place(&mut self, what: What, hue: Option<u16>, owner: Owner, until_ms: Option<i64>) -> Serial {
        let serial = self.take_serial();
        self.things.insert(serial, Thing { serial, what, hue, owner, until_ms });
        serial
    }

    /// Every object, by serial.
    pub fn things(&self) -> impl Iterator<Item = &Thing> {
        self.things.values()
    }

    /// The object of that serial.
    pub fn thing(&self, serial: Serial) -> Option<&Thing> {
        self.things.get(&serial)
    }

    /// How many objects of that sort a run owns.
    pub fn things_of(&self, run: &str, sort: &str) -> usize {
        self.things().filter(|thing| thing.owner.run_id == run && thing.what.sort() == sort).count()
    }

    /// Takes an object out of the world.
    pub fn remove_thing(&mut self, serial: Serial) -> Option<Thing> {
        self.things.remove(&serial)
    }

    /// Takes away a creature or an object.
    pub fn take_away(&mut self, serial: Serial) -> bool {
        self.remove(serial).is_some() || self.remove_thing(serial).is_some()
    }

    /// What stands behind a serial.
    pub fn standing(&self, serial: Serial) -> Standing<'_> {
        match (self.creature(serial), self.thing(serial)) {
            (Some(creature), _) => creature.owner.as_ref().map_or(Standing::Nobodys, Standing::Owned),
            (None, Some(thing)) => Standing::Owned(&thing.owner),
            (None, None) => Standing::Gone,
        }
    }

    /// Everything that the command under that key made and that is still there.
    pub fn made_by(&self, key: &str) -> Vec<Serial> {
        let made = |owner: &Owner| owner.key == key;
        let creatures = self.creatures().filter(|creature| creature.owner.as_ref().is_some_and(made));
        let things = self.things().filter(|thing| made(&thing.owner));
        creatures.map(|creature| creature.serial).chain(things.map(|thing| thing.serial)).collect()
    }

    /// Looks at a serial, and changes nothing.
    pub fn look_at(&self, serial: Serial) -> Seen {
        let facet = match (self.creature(serial), self.thing(serial)) {
            (Some(creature), _) => Some(creature.map),
            (None, Some(thing)) => thing.what.facet(),
            (None, None) => return if self.unloaded.is_empty() { Seen::Gone } else { Seen::NotLoaded },
        };
        if facet.is_some_and(|facet| self.unloaded.contains(&facet)) { Seen::NotLoaded } else { Seen::Present }
    }

    /// Takes away the objects whose time is over, and gives them.
    pub fn expire_things(&mut self, now_ms: i64) -> Vec<Thing> {
        let over = |thing: &&Thing| thing.until_ms.is_some_and(|until_ms| until_ms <= now_ms);
        let due: Vec<Serial> = self.things().filter(over).map(|thing| thing.serial).collect();
        due.into_iter().filter_map(|serial| self.remove_thing(serial)).collect()
    }
}
