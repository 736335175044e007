//! One tick: every creature takes a step, or does not.

use super::{Map, World};
use rand::Rng;

impl World {
    /// Lets one tick pass.
    pub fn tick(&mut self) {
        self.ticks += 1;
        for creature in self.creatures.values_mut() {
            let leash = i32::from(creature.leash);
            let mut step = |at: i32, home: i32, end: i32| {
                let next = at + self.chance.random_range(-1..=1);
                let kept = (home - leash).max(0)..=(home + leash).min(end - 1);
                if kept.contains(&next) { next } else { at }
            };
            creature.x = step(creature.x, creature.home.0, Map::WIDTH);
            creature.y = step(creature.y, creature.home.1, Map::HEIGHT);
        }
    }
}
