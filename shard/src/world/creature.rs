//! One creature.

use super::{Map, World};
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
}

impl World {
    /// Makes the creatures of an order whose fields were judged before. Gives their serials.
    pub fn spawn(&mut self, order: &Spawn, creature: &'static str, map: Map) -> Vec<Serial> {
        let radius = order.radius.unwrap_or(limits::RADIUS_DEFAULT);
        let owner = Owner { run_id: order.stamp.run_id.clone(), key: order.stamp.idempotency_key.clone() };
        let mut serials = Vec::new();
        for _ in 0..order.count {
            let (x, y) = self.point_near((order.x, order.y), radius);
            let serial = self.take_serial();
            let made = Creature {
                serial,
                breed: creature.to_owned(),
                name: order.name.clone(),
                hue: order.hue,
                boss: order.boss,
                map,
                x,
                y,
                home: (x, y),
                leash: radius,
                owner: Some(owner.clone()),
            };
            self.creatures.insert(serial, made);
            serials.push(serial);
        }
        serials
    }

    /// A point of the map at most that far from another.
    pub(super) fn point_near(&mut self, (x, y): (i32, i32), radius: u16) -> (i32, i32) {
        let reach = i32::from(radius);
        let mut near = |centre: i32, end: i32| (centre + self.chance.random_range(-reach..=reach)).clamp(0, end - 1);
        (near(x, Map::WIDTH), near(y, Map::HEIGHT))
    }
}
