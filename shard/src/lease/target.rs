//! What a lease is of, and how it is written: `PlayerCaps.SkillCap`, `object:yew-orchard-1.MaxCount`, `season:HarvestFair.Status`.

use super::{Ground, catalogue::ConfigLease};
use crate::{
    config::Config,
    world::{Dial, Season, World},
};
use leasehold_link::wire::Serial;

/// One value of the game that may be borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    Config(&'static str),
    Dial(Serial, Dial),
    Season(Season),
}

impl Target {
    /// The target of that key; `None` where there is none, also where its spawner is not there any more.
    pub fn find(key: &str, world: &World) -> Option<Self> {
        if let Some(rest) = key.strip_prefix("object:") {
            let (id, dial) = rest.rsplit_once('.')?;
            return Some(Self::Dial(world.spawners.find(id)?.serial, Dial::parse(dial)?));
        }
        if let Some(rest) = key.strip_prefix("season:") {
            return Season::parse(rest.strip_suffix(".Status")?).map(Self::Season);
        }
        ConfigLease::find(key).map(|lease| Self::Config(lease.key))
    }

    /// The one spelling of its key: a spawner that has a name goes by it, and any other by its serial.
    pub fn key(&self, world: &World) -> String {
        match self {
            Self::Config(key) => (*key).to_owned(),
            Self::Season(season) => format!("season:{season}.Status"),
            Self::Dial(serial, dial) => {
                let name = world.spawners.find(&serial.to_string()).and_then(|spawner| spawner.unique_id.clone());
                format!("object:{}.{}", name.unwrap_or_else(|| serial.to_string()), dial.name())
            }
        }
    }

    /// Which plane it is of, as a word of the wire.
    pub const fn plane(&self) -> &'static str {
        match self {
            Self::Config(_) => "config",
            Self::Dial(..) => "object",
            Self::Season(_) => "seasonal",
        }
    }

    /// Whether a restart of the game puts it back by itself.
    pub const fn restart_restores(&self) -> bool {
        matches!(self, Self::Config(_))
    }
}

/// Makes a sort of values inert, or live again: `PlayerCaps.SkillCap`, `object:*.MaxCount`, `season:HarvestFair.Status`. False where
/// there is none of that name.
pub fn inert(key: &str, inert: bool, ground: &mut Ground<'_>) -> bool {
    if let Some(dial) = key.strip_prefix("object:*.").and_then(Dial::parse) {
        return turned(&mut ground.world.spawners.inert, dial, inert);
    }
    let season = key.strip_prefix("season:").and_then(|rest| Season::parse(rest.strip_suffix(".Status")?));
    match season {
        Some(season) => turned(&mut ground.world.seasons.inert, season, inert),
        None => Config::set_inert(ground.config, key, inert),
    }
}

fn turned<T: Ord>(set: &mut std::collections::BTreeSet<T>, of: T, on: bool) -> bool {
    if on {
        set.insert(of);
    } else {
        set.remove(&of);
    }
    true
}
