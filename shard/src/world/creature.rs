//! One creature.

use super::{Blows, Champion, Map, World, bestiary};
use leasehold_link::wire::{Boss, Serial, Spawn, limits};
use rand::Rng;
use serde::{Deserialize, Serialize};

/// Who had it made, and by which command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Owner {
    pub run_id: String,
    pub key: String,
}

/// A creature. It wanders around its home.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Creature {
    pub serial: Serial,
    /// Which one, by the allowlist's name.
    #[serde(rename = "creature")]
    pub breed: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hue: Option<u16>,
    /// How much stronger than its kind it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boss: Option<Boss>,
    pub map: Map,
    pub x: i32,
    pub y: i32,
    pub home: (i32, i32),
    /// How far from home it goes, in tiles.
    pub leash: u16,
    /// Absent for a native.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Owner>,
    /// How much more it takes before it falls.
    #[serde(default = "bestiary::usual_hits")]
    pub hits: u32,
    /// What was dealt to it, in the order in which it began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blows: Vec<Blows>,
    /// The spawner that keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spawner: Option<Serial>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub champion: Option<Champion>,
}

impl Creature {
    /// One of its kind that nobody owns.
    pub(super) fn wild(serial: Serial, breed: String, map: Map, home: (i32, i32), leash: u16) -> Self {
        let ((x, y), hits) = (home, bestiary::hits_of(&breed));
        let (name, hue, boss, owner, spawner, champion) = (None, None, None, None, None, None);
        Self { serial, breed, name, hue, boss, map, x, y, home, leash, owner, hits, blows: Vec::new(), spawner, champion }
    }
}

impl World {
    /// Makes the creatures of an order whose fields were judged before. Gives their serials.
    pub fn spawn(&mut self, order: &Spawn, creature: &'static str, map: Map) -> Vec<Serial> {
        let radius = order.radius.unwrap_or(limits::RADIUS_DEFAULT);
        let owner = Owner { run_id: order.stamp.run_id.clone(), key: order.stamp.idempotency_key.clone() };
        let mut serials = Vec::new();
        for _ in 0..order.count {
            let home = self.point_near((order.x, order.y), radius);
            let serial = self.take_serial();
            let wild = Creature::wild(serial, creature.to_owned(), map, home, radius);
            let hits = order.boss.map_or(wild.hits, |boss| wild.hits.saturating_mul(boss.hits) / 100);
            let (name, hue, boss) = (order.name.clone(), order.hue, order.boss);
            self.settle(Creature { name, hue, boss, hits, owner: Some(owner.clone()), ..wild });
            serials.push(serial);
        }
        serials
    }

    /// Lets a creature live.
    pub(super) fn settle(&mut self, creature: Creature) {
        if let Some(spawner) = creature.spawner {
            self.spawners.count(spawner, 1);
        }
        self.creatures.insert(creature.serial, creature);
    }

    /// Takes a creature out of the world, whatever for.
    pub fn remove(&mut self, serial: Serial) -> Option<Creature> {
        let creature = self.creatures.remove(&serial)?;
        if let Some(spawner) = creature.spawner {
            self.spawners.count(spawner, -1);
        }
        self.forget_champion(&creature);
        Some(creature)
    }

    /// A point of the map at most that far from another.
    pub(super) fn point_near(&mut self, (x, y): (i32, i32), radius: u16) -> (i32, i32) {
        let reach = i32::from(radius);
        let mut near = |centre: i32, end: i32| (centre + self.chance.random_range(-reach..=reach)).clamp(0, end - 1);
        (near(x, Map::WIDTH), near(y, Map::HEIGHT))
    }
}
