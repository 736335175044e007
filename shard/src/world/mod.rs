//! The world: maps, landmarks, creatures that wander, players, and who owns what. Pure: its chance comes from its seed.

mod altar;
mod bestiary;
mod creature;
mod dump;
mod fight;
mod map;
mod player;
mod populate;
mod region;
mod save;
mod season;
mod spawner;
mod thing;
mod vocabulary;
mod wander;

pub use altar::{Altar, Category, Champion};
pub use bestiary::known_creature;
pub use creature::{Creature, Owner};
pub use fight::{Blows, Struck};
pub use map::{LANDMARKS, Landmark, Map, Place};
pub use player::{NewPlayer, Player};
pub use populate::Population;
pub use region::{named_region, regions_around};
pub use save::{SaveFault, SavedBeside};
pub use season::{Season, Seasons, Status};
pub use spawner::{COUNT_MAX, DELAY_MAX_SEC, Dial, Dials, Spawner, Spawners};
pub use thing::{Seen, Standing, Thing, What};
pub use vocabulary::{decoration, gift};

use leasehold_link::wire::{Serial, WorldSaved};
use rand::{SeedableRng, rngs::StdRng};
use std::collections::{BTreeMap, BTreeSet};

/// The first serial of any world.
const FIRST_SERIAL: u32 = 0x4000_0000;

/// Everything that a save keeps, and the ticks since start.
#[derive(Debug)]
pub struct World {
    creatures: BTreeMap<Serial, Creature>,
    players: BTreeMap<Serial, Player>,
    things: BTreeMap<Serial, Thing>,
    altars: BTreeMap<Serial, Altar>,
    pub spawners: Spawners,
    pub seasons: Seasons,
    /// Facets that are not loaded: nobody can say what is on them.
    unloaded: BTreeSet<Map>,
    saved_ms: Option<i64>,
    next_serial: u32,
    reserved_to: u32,
    chance: StdRng,
    ticks: u64,
    /// The instant of the newest tick, by the game's clock.
    now_ms: i64,
    /// Whose turn to walk it is next.
    next_step: Serial,
}

impl World {
    /// An empty world of that seed.
    pub fn empty(seed: u64) -> Self {
        Self {
            creatures: BTreeMap::new(),
            players: BTreeMap::new(),
            things: BTreeMap::new(),
            altars: BTreeMap::new(),
            spawners: Spawners::default(),
            seasons: Seasons::default(),
            unloaded: BTreeSet::new(),
            saved_ms: None,
            next_serial: FIRST_SERIAL,
            reserved_to: FIRST_SERIAL,
            chance: StdRng::seed_from_u64(seed),
            ticks: 0,
            now_ms: 0,
            next_step: Serial(0),
        }
    }

    /// A new world in the place of this one. Serials go on, so that none is given out twice.
    pub fn wipe(&mut self, population: Population) {
        let mut new = Self::empty(0);
        new.chance = StdRng::from_rng(&mut self.chance);
        new.reserve_serials(self.next_serial, self.reserved_to);
        new.now_ms = self.now_ms;
        new.populate(population);
        *self = new;
    }

    /// Every creature, by serial.
    pub fn creatures(&self) -> impl Iterator<Item = &Creature> {
        self.creatures.values()
    }

    pub fn creature(&self, serial: Serial) -> Option<&Creature> {
        self.creatures.get(&serial)
    }

    /// Every creature that a run owns.
    pub fn owned_by<'a>(&'a self, run: &'a str) -> impl Iterator<Item = &'a Creature> {
        self.creatures().filter(move |creature| creature.owner.as_ref().is_some_and(|owner| owner.run_id == run))
    }

    pub fn players(&self) -> impl Iterator<Item = &Player> {
        self.players.values()
    }

    /// The character of that serial.
    pub fn player(&self, serial: Serial) -> Option<&Player> {
        self.players.get(&serial)
    }

    /// Every altar, by serial.
    pub fn altars(&self) -> impl Iterator<Item = &Altar> {
        self.altars.values()
    }

    pub fn altar(&self, serial: Serial) -> Option<&Altar> {
        self.altars.get(&serial)
    }

    /// Loads a facet, or unloads it. Nothing is lost: what is on it cannot be looked at meanwhile.
    pub fn load_facet(&mut self, map: Map, loaded: bool) {
        if loaded {
            self.unloaded.remove(&map);
        } else {
            self.unloaded.insert(map);
        }
    }

    /// When it was last saved, by the game's clock; the save that it came from counts.
    pub const fn saved_ms(&self) -> Option<i64> {
        self.saved_ms
    }

    /// How much there is of everything that a save keeps.
    pub fn counts(&self) -> WorldSaved {
        let objects = self.things().filter(|thing| thing.what.is_saved()).count();
        WorldSaved { creatures: self.creatures.len(), objects, players: self.players.len() }
    }

    pub const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// How many serials may be given out before more must be reserved.
    pub const fn serials_left(&self) -> u32 {
        self.reserved_to - self.next_serial
    }

    /// The last serial reserved, plus one: what the reservation on disk must say before any of them is given out.
    pub const fn reserved_to(&self) -> u32 {
        self.reserved_to
    }

    /// Allows serials up to that one. Serials below an earlier reservation are never given out again, also after a crash.
    pub fn reserve_serials(&mut self, start: u32, end: u32) {
        self.next_serial = self.next_serial.max(start);
        self.reserved_to = self.reserved_to.max(end).max(self.next_serial);
    }

    fn take_serial(&mut self) -> Serial {
        let serial = Serial(self.next_serial);
        self.next_serial += 1;
        self.reserved_to = self.reserved_to.max(self.next_serial);
        serial
    }
}

#[cfg(test)]
mod tests;
