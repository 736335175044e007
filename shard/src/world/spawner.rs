//! Spawners: each keeps so many of a kind around its place. Staff and leases turn its four dials.

use super::{Creature, Place, World};
use leasehold_link::wire::Serial;
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How far from a spawner its creatures are put and walk, in tiles.
const AROUND: u16 = 8;
/// The longest wait between two creatures, in seconds, and the most that a spawner keeps.
pub const DELAY_MAX_SEC: u32 = 86_400;
pub const COUNT_MAX: u32 = 50;

/// One of the four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dial {
    MaxCount,
    MinDelay,
    MaxDelay,
    Running,
}

impl Dial {
    pub const ALL: [Self; 4] = [Self::MaxCount, Self::MinDelay, Self::MaxDelay, Self::Running];

    /// The word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MaxCount => "MaxCount",
            Self::MinDelay => "MinDelay",
            Self::MaxDelay => "MaxDelay",
            Self::Running => "Running",
        }
    }

    /// The dial of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dial| dial.name() == word)
    }
}

/// What the dials of one spawner stand at. Delays are in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dials {
    pub max_count: u32,
    pub min_delay: u32,
    pub max_delay: u32,
    pub running: bool,
}

impl Dials {
    /// A dial as text.
    pub fn read(&self, dial: Dial) -> String {
        match dial {
            Dial::MaxCount => self.max_count.to_string(),
            Dial::MinDelay => self.min_delay.to_string(),
            Dial::MaxDelay => self.max_delay.to_string(),
            Dial::Running => self.running.to_string(),
        }
    }

    /// Sets a dial from its text; false where the text is none of it.
    fn write(&mut self, dial: Dial, text: &str) -> bool {
        let number = |most: u32| text.parse::<u32>().ok().filter(|number| *number <= most);
        match dial {
            Dial::MaxCount => number(COUNT_MAX).map(|count| self.max_count = count),
            Dial::MinDelay => number(DELAY_MAX_SEC).map(|delay| self.min_delay = delay),
            Dial::MaxDelay => number(DELAY_MAX_SEC).map(|delay| self.max_delay = delay),
            Dial::Running => text.parse().ok().map(|running| self.running = running),
        }
        .is_some()
    }
}

/// One spawner. It is part of the save, and so is what its dials stand at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spawner {
    pub serial: Serial,
    /// The name that staff gave it; it outlives a spawner that is placed anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unique_id: Option<String>,
    pub at: Place,
    #[serde(rename = "creature")]
    pub breed: String,
    pub dials: Dials,
    /// How many of its own live now; counted anew at each start.
    #[serde(skip)]
    pub alive: u32,
    /// The dials as they were when the game started: what it goes by where a dial is inert.
    #[serde(skip)]
    started: Option<Dials>,
}

impl Spawner {
    /// What it goes by.
    fn goes_by(&self, inert: &BTreeSet<Dial>) -> Dials {
        let mut dials = self.dials;
        for dial in inert {
            dials.write(*dial, &self.started.unwrap_or(self.dials).read(*dial));
        }
        dials
    }
}

/// All spawners, and when each looks around next, by the game's clock.
#[derive(Debug, Default)]
pub struct Spawners {
    by_serial: BTreeMap<Serial, Spawner>,
    due: BTreeSet<(i64, Serial)>,
    /// Dials that do nothing: a fault that the console may cause.
    pub inert: BTreeSet<Dial>,
}

impl Spawners {
    pub fn all(&self) -> impl Iterator<Item = &Spawner> {
        self.by_serial.values()
    }

    /// The spawner of that serial or unique id.
    pub fn find(&self, id: &str) -> Option<&Spawner> {
        match id.parse::<Serial>() {
            Ok(serial) => self.by_serial.get(&serial),
            Err(_) => self.all().find(|spawner| spawner.unique_id.as_deref() == Some(id)),
        }
    }

    /// Its creature lives, or does so no longer.
    pub(super) fn count(&mut self, serial: Serial, change: i32) {
        if let Some(spawner) = self.by_serial.get_mut(&serial) {
            spawner.alive = spawner.alive.saturating_add_signed(change);
        }
    }
}

impl World {
    /// Places a spawner.
    pub fn place_spawner(&mut self, unique_id: Option<String>, at: Place, breed: String, dials: Dials) -> Serial {
        let serial = self.take_serial();
        self.adopt(Spawner { serial, unique_id, at, breed, dials, alive: 0, started: None });
        serial
    }

    /// Takes up a spawner, new or of a save.
    pub(super) fn adopt(&mut self, spawner: Spawner) {
        let (serial, started) = (spawner.serial, Some(spawner.dials));
        self.spawners.by_serial.insert(serial, Spawner { started, ..spawner });
        self.wait(serial, self.now_ms);
    }

    /// Turns a dial; false where there is no such spawner, or the text is none of the dial's.
    pub fn turn(&mut self, serial: Serial, dial: Dial, text: &str) -> bool {
        let now_ms = self.now_ms;
        let Some(spawner) = self.spawners.by_serial.get_mut(&serial) else { return false };
        if !spawner.dials.write(dial, text) {
            return false;
        }
        self.spawners.due.retain(|(_, other)| *other != serial);
        self.wait(serial, now_ms);
        true
    }

    /// Takes a spawner out of the world. What it has made stays.
    pub fn remove_spawner(&mut self, serial: Serial) -> Option<Spawner> {
        self.spawners.due.retain(|(_, other)| *other != serial);
        self.spawners.by_serial.remove(&serial)
    }

    /// Lets every spawner whose time has come look around: one creature at a time, up to its most.
    pub(super) fn tick_spawners(&mut self) {
        while let Some((due_ms, serial)) = self.spawners.due.first().copied()
            && due_ms <= self.now_ms
        {
            self.spawners.due.pop_first();
            let Some(spawner) = self.spawners.by_serial.get(&serial) else { continue };
            let dials = spawner.goes_by(&self.spawners.inert);
            if dials.running && spawner.alive < dials.max_count {
                self.spawn_one(serial);
            }
            self.wait(serial, self.now_ms);
        }
    }

    /// Fills a spawner at once, as in a world that has been running for long.
    pub(super) fn fill(&mut self, serial: Serial) {
        while let Some(spawner) = self.spawners.by_serial.get(&serial)
            && spawner.dials.running
            && spawner.alive < spawner.dials.max_count
        {
            self.spawn_one(serial);
        }
    }

    fn spawn_one(&mut self, serial: Serial) {
        let Some(spawner) = self.spawners.by_serial.get(&serial) else { return };
        let (at, breed) = (spawner.at, spawner.breed.clone());
        let home = self.point_near((at.x, at.y), AROUND);
        let made = Creature { spawner: Some(serial), ..Creature::wild(self.take_serial(), breed, at.map, home, AROUND) };
        self.settle(made);
    }

    /// Sets when a spawner looks around next: at least a second from now, so that no spawner keeps a tick.
    fn wait(&mut self, serial: Serial, now_ms: i64) {
        let Some(spawner) = self.spawners.by_serial.get(&serial) else { return };
        let dials = spawner.goes_by(&self.spawners.inert);
        if !dials.running {
            return;
        }
        let (low, high) = (dials.min_delay.max(1), dials.max_delay.max(dials.min_delay).max(1));
        let seconds = self.chance.random_range(low..=high);
        self.spawners.due.insert((now_ms + i64::from(seconds) * 1000, serial));
    }
}
