//! The save: everything that lives, in one file, whole or not at all. What was made since the last one is lost in a crash.

use super::{Altar, Creature, Player, Season, Spawner, Status, Thing, World};
use crate::{lease::KeptHold, participation::Tally};
use leasehold_link::disk;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

/// The version of the file's shape.
const VERSION: u32 = 1;

/// The file's content. Nothing of the configuration is in it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Saved {
    version: u32,
    written_ms: i64,
    next_serial: u32,
    creatures: Vec<Creature>,
    players: Vec<Player>,
    /// Absent in saves that were written before there were objects; so are the lists below.
    #[serde(default)]
    things: Vec<Thing>,
    #[serde(default)]
    spawners: Vec<Spawner>,
    #[serde(default)]
    altars: Vec<Altar>,
    #[serde(default)]
    seasons: BTreeMap<Season, Status>,
    #[serde(default)]
    beside: SavedBeside,
}

/// What is saved with the world and is none of it: holds of values that a restart does not restore, and who took part in what.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedBeside {
    #[serde(default)]
    pub holds: Vec<KeptHold>,
    #[serde(default)]
    pub participation: Vec<Tally>,
}

/// Why there is no world.
#[derive(Debug, thiserror::Error)]
pub enum SaveFault {
    #[error("cannot use the save {path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("the save {path} cannot be read: {source}")]
    Broken { path: PathBuf, source: serde_json::Error },
    #[error("the save {path} has version {found}, this game reads {VERSION}")]
    OtherVersion { path: PathBuf, found: u32 },
}

fn path_in(directory: &Path) -> PathBuf {
    directory.join("world.json")
}

impl World {
    /// Writes the world. Where it cannot be written the earlier save stands.
    pub fn save(&mut self, directory: &Path, now_ms: i64, beside: SavedBeside) -> Result<(), SaveFault> {
        let path = path_in(directory);
        let saved = Saved {
            version: VERSION,
            written_ms: now_ms,
            next_serial: self.next_serial,
            creatures: self.creatures.values().cloned().collect(),
            players: self.players.values().cloned().collect(),
            things: self.things.values().filter(|thing| thing.what.is_saved()).cloned().collect(),
            spawners: self.spawners.all().cloned().collect(),
            altars: self.altars.values().cloned().collect(),
            seasons: self.seasons.statuses().clone(),
            beside,
        };
        let text = serde_json::to_vec(&saved).map_err(|source| SaveFault::Broken { path: path.clone(), source })?;
        disk::replace(&path, &text).map_err(|source| SaveFault::Io { path, source })?;
        self.saved_ms = Some(now_ms);
        Ok(())
    }

    /// The world of a save, what was saved beside it, and when; `None` where there is none yet.
    pub fn load(directory: &Path, seed: u64) -> Result<Option<(Self, SavedBeside)>, SaveFault> {
        let path = path_in(directory);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(SaveFault::Io { path, source }),
        };
        let saved: Saved = serde_json::from_slice(&text).map_err(|source| SaveFault::Broken { path: path.clone(), source })?;
        if saved.version != VERSION {
            return Err(SaveFault::OtherVersion { path, found: saved.version });
        }
        let mut world = Self::empty(seed);
        world.next_serial = saved.next_serial;
        world.reserved_to = saved.next_serial;
        world.now_ms = saved.written_ms;
        for spawner in saved.spawners {
            world.adopt(spawner);
        }
        for creature in saved.creatures {
            world.settle(creature);
        }
        world.altars = saved.altars.into_iter().map(|altar| (altar.serial, altar)).collect();
        for (season, status) in saved.seasons {
            world.set_season(season, status);
        }
        world.saved_ms = Some(saved.written_ms);
        world.things = saved.things.into_iter().map(|thing| (thing.serial, thing)).collect();
        world.players = saved.players.into_iter().map(|player| (player.serial, player)).collect();
        Ok(Some((world, saved.beside)))
    }
}
