//! The natives: what lives in a new world before anybody changes it.

use super::{Creature, LANDMARKS, World, bestiary::NATIVES};
use rand::Rng;

/// How far from a landmark natives are put, in tiles.
const AROUND: u16 = 120;

impl World {
    /// A new world of that seed with that many natives around its landmarks.
    pub fn populated(seed: u64, natives: usize, leash: u16) -> Self {
        let mut world = Self::empty(seed);
        for _ in 0..natives {
            world.add_native(leash);
        }
        world
    }

    fn add_native(&mut self, leash: u16) {
        let landmark = &LANDMARKS[self.chance.random_range(0..LANDMARKS.len())];
        let breed = NATIVES[self.chance.random_range(0..NATIVES.len())].to_owned();
        let (x, y) = self.point_near((landmark.x, landmark.y), AROUND);
        let serial = self.take_serial();
        let (map, home) = (landmark.map, (x, y));
        self.creatures
            .insert(serial, Creature { serial, breed, name: None, hue: None, boss: None, map, x, y, home, leash, owner: None });
    }
}
