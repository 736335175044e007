//! What handlers work on: the world and what governs it. No socket, no file, no clock but the instant they are given.

use crate::{
    config::{Config, Rules},
    fences::Fences,
    lease::{Ground, LeasePlane},
    participation::Participation,
    world::{NewPlayer, SavedBeside, World},
};

/// The game's state.
#[derive(Debug)]
pub struct Game {
    pub world: World,
    pub config: Config,
    pub rules: Rules,
    pub leases: LeasePlane,
    pub participation: Participation,
    pub fences: Fences,
    /// Broadcasts since boot.
    pub broadcasts: u64,
    /// A handler asked for the world to be saved before its answer is given.
    pub save_asked: bool,
    /// Now, by the game's clock, in milliseconds since 1970.
    pub now_ms: i64,
}

impl Game {
    /// The lease plane, and the ground on which it works.
    pub const fn leases(&mut self) -> (&mut LeasePlane, Ground<'_>) {
        (&mut self.leases, Ground { config: &mut self.config, world: &mut self.world })
    }

    /// What a save keeps beside the world.
    pub fn beside(&self) -> SavedBeside {
        SavedBeside { holds: self.leases.kept(self.now_ms), participation: self.participation.kept() }
    }
}

/// A new character as the configuration makes it now; its caps are read here and never again for it.
pub fn new_character(config: &Config, name: String, address: Option<String>) -> NewPlayer {
    let (skill_cap, stat_cap) = (config.integer("PlayerCaps.SkillCap"), config.integer("PlayerCaps.StatCap"));
    NewPlayer { name, skill_cap, stat_cap, address }
}

/// How hard a blow of that strength lands.
pub fn blow_of(config: &Config, strength: u32) -> u32 {
    let percent = u64::try_from(config.integer("Combat.DamagePercent")).unwrap_or_default();
    u32::try_from(u64::from(strength).saturating_mul(percent) / 100).unwrap_or(u32::MAX)
}
