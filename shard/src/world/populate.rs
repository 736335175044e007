//! What lives and stands in a new world before anybody changes it: natives, spawners, altars.

use super::{Altar, Creature, Dials, LANDMARKS, Place, World, altar::ALTARS, bestiary::NATIVES};
use rand::Rng;

/// How far from a landmark natives and spawners are put, in tiles.
const AROUND: u16 = 120;
/// How many spawners with a name of their own stand around each landmark.
const NAMED: u32 = 3;

/// How much of everything there is in a new world.
#[derive(Clone, Copy, Debug, Default)]
pub struct Population {
    pub natives: usize,
    /// How far natives go from home, in tiles.
    pub leash: u16,
    /// Spawners without a name; those with one are always there.
    pub spawners: usize,
}

impl World {
    /// A new world of that seed.
    pub fn populated(seed: u64, population: Population) -> Self {
        let mut world = Self::empty(seed);
        world.populate(population);
        world
    }

    /// Fills an empty world.
    pub(super) fn populate(&mut self, population: Population) {
        let world = self;
        for _ in 0..population.natives {
            world.add_native(population.leash);
        }
        world.add_named_spawners();
        for _ in 0..population.spawners {
            world.add_spawner();
        }
        for (sort, category, boss, at) in ALTARS {
            let serial = world.take_serial();
            let (sort, boss) = (sort.to_owned(), boss.to_owned());
            world.altars.insert(serial, Altar { serial, sort, category, level: 0, at, boss, risen: None });
        }
    }

    fn add_native(&mut self, leash: u16) {
        let landmark = &LANDMARKS[self.chance.random_range(0..LANDMARKS.len())];
        let breed = NATIVES[self.chance.random_range(0..NATIVES.len())].to_owned();
        let home = self.point_near((landmark.x, landmark.y), AROUND);
        let native = Creature::wild(self.take_serial(), breed, landmark.map, home, leash);
        self.settle(native);
    }

    /// `yew-orchard-1` and so on: around every landmark, the same in every world of every seed but for their places.
    fn add_named_spawners(&mut self) {
        for landmark in LANDMARKS {
            for number in 1..=NAMED {
                let breed = NATIVES[number as usize % NATIVES.len()].to_owned();
                let (x, y) = self.point_near((landmark.x, landmark.y), 20);
                let dials = Dials { max_count: 3 + number, min_delay: 60, max_delay: 300, running: true };
                let name = format!("{}-{number}", landmark.id);
                let serial = self.place_spawner(Some(name), Place { map: landmark.map, x, y }, breed, dials);
                self.fill(serial);
            }
        }
    }

    fn add_spawner(&mut self) {
        let landmark = &LANDMARKS[self.chance.random_range(0..LANDMARKS.len())];
        let breed = NATIVES[self.chance.random_range(0..NATIVES.len())].to_owned();
        let (x, y) = self.point_near((landmark.x, landmark.y), AROUND);
        let max_count = self.chance.random_range(2..=6);
        let min_delay = self.chance.random_range(30..=600);
        let dials = Dials { max_count, min_delay, max_delay: min_delay * 2, running: self.chance.random_ratio(19, 20) };
        let serial = self.place_spawner(None, Place { map: landmark.map, x, y }, breed, dials);
        self.fill(serial);
    }
}
