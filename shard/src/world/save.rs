//! The save: everything that lives, in one file, whole or not at all. What was made since the last one is lost in a crash.

use super::{Creature, Player, Thing, World};
use crate::disk;
use serde::{Deserialize, Serialize};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The version of the file's shape.
const VERSION: u32 = 1;

/// The file's content. Nothing of the configuration and no lease is in it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Saved {
    version: u32,
    written_ms: i64,
    next_serial: u32,
    creatures: Vec<Creature>,
    players: Vec<Player>,
    /// Absent in saves that were written before there were objects.
    #[serde(default)]
    things: Vec<Thing>,
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
    pub fn save(&mut self, directory: &Path, now_ms: i64) -> Result<(), SaveFault> {
        let path = path_in(directory);
        let saved = Saved {
            version: VERSION,
            written_ms: now_ms,
            next_serial: self.next_serial,
            creatures: self.creatures.values().cloned().collect(),
            players: self.players.values().cloned().collect(),
            things: self.things.values().filter(|thing| thing.what.is_saved()).cloned().collect(),
        };
        let text = serde_json::to_vec(&saved).map_err(|source| SaveFault::Broken { path: path.clone(), source })?;
        disk::replace(&path, &text).map_err(|source| SaveFault::Io { path, source })?;
        self.saved_ms = Some(now_ms);
        Ok(())
    }

    /// The world of a save, or `None` where there is none yet.
    pub fn load(directory: &Path, seed: u64) -> Result<Option<Self>, SaveFault> {
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
        world.creatures = saved.creatures.into_iter().map(|creature| (creature.serial, creature)).collect();
        world.saved_ms = Some(saved.written_ms);
        world.things = saved.things.into_iter().map(|thing| (thing.serial, thing)).collect();
        world.players = saved.players.into_iter().map(|player| (player.serial, player)).collect();
        Ok(Some(world))
    }
}
