//! Blows, and who dealt them. The table of a creature's damage dies with it.

use super::{Creature, Place, Player, World};
use leasehold_link::wire::Serial;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How long a blow is remembered as part of the same fight: later ones of the same hand are entered anew.
const SAME_FIGHT_MS: i64 = 120_000;
/// How far a blow reaches, in tiles.
pub const REACH: i32 = 18;

/// What one hand has dealt in one stretch of a fight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Blows {
    pub by: Serial,
    pub damage: u64,
    pub last_ms: i64,
}

/// What a blow came to.
#[derive(Debug)]
pub enum Struck {
    /// It stands, with so many hits left.
    Stands(u32),
    /// It fell by this blow.
    Fell(Box<Creature>),
}

/// Why no blow was struck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoBlow {
    #[error("there is no such creature")]
    NoCreature,
    #[error("whoever strikes must be online and alive")]
    NotThere,
    #[error("it is too far away: a blow reaches {REACH} tiles on one facet")]
    TooFar,
}

impl Creature {
    /// What everybody dealt to it, summed for each hand, the most first.
    pub fn damage_table(&self) -> Vec<(Serial, u64)> {
        let mut sums: BTreeMap<Serial, u64> = BTreeMap::new();
        for blows in &self.blows {
            let sum = sums.entry(blows.by).or_default();
            *sum = sum.saturating_add(blows.damage);
        }
        let mut table: Vec<(Serial, u64)> = sums.into_iter().collect();
        table.sort_by_key(|(by, damage)| (std::cmp::Reverse(*damage), *by));
        table
    }

    /// Where it stands.
    pub const fn at(&self) -> Place {
        Place { map: self.map, x: self.x, y: self.y }
    }

    fn enter(&mut self, by: Serial, damage: u64, now_ms: i64) {
        let recent = self.blows.iter_mut().rev().find(|blows| blows.by == by && now_ms - blows.last_ms < SAME_FIGHT_MS);
        match recent {
            Some(blows) => {
                blows.damage = blows.damage.saturating_add(damage);
                blows.last_ms = now_ms;
            }
            None => self.blows.push(Blows { by, damage, last_ms: now_ms }),
        }
    }
}

impl World {
    /// A player strikes a creature. One that falls is out of the world and is given whole, with all that was dealt to it.
    pub fn strike(&mut self, by: Serial, target: Serial, damage: u32, now_ms: i64) -> Result<Struck, NoBlow> {
        let from = self.players.get(&by).filter(|player| player.is_there()).map(Player::at).ok_or(NoBlow::NotThere)?;
        let creature = self.creatures.get_mut(&target).ok_or(NoBlow::NoCreature)?;
        if !from.within(creature.at(), REACH) {
            return Err(NoBlow::TooFar);
        }
        creature.enter(by, damage.into(), now_ms);
        creature.hits = creature.hits.saturating_sub(damage);
        if creature.hits > 0 {
            return Ok(Struck::Stands(creature.hits));
        }
        self.remove(target).map(|fallen| Struck::Fell(Box::new(fallen))).ok_or(NoBlow::NoCreature)
    }
}
