//! One tick: some of the creatures take a step, and spawners whose time has come look around.

use super::{Map, World};
use rand::Rng;

/// How many creatures take a step in one tick: with thousands of them each has its turn in a second or two, and no tick is long.
const STEPS: usize = 64;

impl World {
    /// Lets one tick pass, at that instant of the game's clock.
    pub fn tick(&mut self, now_ms: i64) {
        let day = |at_ms: i64| at_ms.div_euclid(86_400_000);
        let new_day = self.ticks == 0 || day(self.now_ms) != day(now_ms);
        self.ticks += 1;
        self.now_ms = now_ms;
        if new_day {
            self.show_seasons();
        }
        self.tick_spawners();
        self.wander();
    }

    fn wander(&mut self) {
        let mut last = None;
        for (serial, creature) in self.creatures.range_mut(self.next_step..).take(STEPS) {
            let leash = i32::from(creature.leash);
            let mut step = |at: i32, home: i32, end: i32| {
                let next = at + self.chance.random_range(-1..=1);
                let kept = (home - leash).max(0)..=(home + leash).min(end - 1);
                if kept.contains(&next) { next } else { at }
            };
            creature.x = step(creature.x, creature.home.0, Map::WIDTH);
            creature.y = step(creature.y, creature.home.1, Map::HEIGHT);
            last = Some(*serial);
        }
        let reached_the_end = last.is_none_or(|last| self.creatures.last_key_value().is_none_or(|(end, _)| *end == last));
        self.next_step = if reached_the_end { leasehold_link::wire::Serial(0) } else { last.map_or(self.next_step, after) };
    }
}

const fn after(serial: leasehold_link::wire::Serial) -> leasehold_link::wire::Serial {
    leasehold_link::wire::Serial(serial.0.saturating_add(1))
}
