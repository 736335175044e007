//! From a data directory to a running game.

use super::{Core, SERIAL_BLOCK, lives::Presence, reports::Reports};
use crate::{
    audit::Audit,
    clock::GameClock,
    config::{Config, ConfigFault, Rules},
    faults::Faults,
    game::Game,
    journal::{Journal, JournalFailure, Opened},
    keys::KeyStore,
    lease::{LeasePlane, Tombstones},
    participation::Participation,
    world::{Population, SaveFault, SavedBeside, World},
};
use leasehold_link::{
    disk,
    wire::limits::{KEY_CAP, KEY_MEMORY_SEC},
};
use std::{
    collections::VecDeque,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio::runtime::Handle;

/// The file that says which holds have ended.
pub(super) const TOMBSTONES: &str = "tombstones.json";

/// What a game starts from.
#[derive(Debug)]
pub struct Started {
    pub directory: PathBuf,
    pub boot_id: String,
    pub seed: u64,
    pub config_file: Option<PathBuf>,
    pub enable_events: bool,
    pub enable_admin_write: bool,
    /// Values that do nothing, by their keys.
    pub inert: Vec<String>,
}

/// Why a game did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartFailure {
    #[error("cannot use {path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("another game uses {0}; each needs a directory of its own")]
    InUse(PathBuf),
    #[error("{path}: {source}")]
    Config { path: PathBuf, source: ConfigFault },
    #[error("there is no value {0} to make inert")]
    NothingInert(String),
    #[error("{0} cannot be read: {1}")]
    Tombstones(PathBuf, serde_json::Error),
    #[error(transparent)]
    Save(#[from] SaveFault),
    #[error(transparent)]
    Journal(#[from] JournalFailure),
}

/// Opens everything. The lock on the directory is given back too: it holds as long as it is kept.
pub fn start(from: Started, clock: Arc<GameClock>, timers: Handle) -> Result<(Core, File), StartFailure> {
    let directory = from.directory.clone();
    let failed = |source| StartFailure::Io { path: directory.clone(), source };
    fs::create_dir_all(&directory).map_err(failed)?;
    let lock = File::create(directory.join("lock")).map_err(failed)?;
    lock.try_lock().map_err(|_| StartFailure::InUse(directory.clone()))?;

    let (config, rules) = configuration(&from)?;
    let now_ms = clock.now_ms();
    let (world, beside) = world(&from, &rules)?;
    let mut keys = KeyStore::new(KEY_MEMORY_SEC, KEY_CAP);
    let Opened { mut journal, fences, rows } = Journal::open(&directory, now_ms, &mut keys)?;
    let audit = Audit::open(&directory, from.boot_id.clone(), &rows).map_err(failed)?;
    journal.compact(&keys, &fences).map_err(failed)?;
    let mut leases = LeasePlane::new(rules.lease_max_ms);
    leases.tombstones = tombstones(&directory.join(TOMBSTONES))?;
    let participation = Participation::default();
    let game = Game { world, config, rules, leases, participation, fences, broadcasts: 0, save_asked: false, now_ms };
    let mut core = Core {
        game,
        clock,
        boot_id: from.boot_id,
        directory: from.directory,
        keys,
        journal,
        audit,
        faults: Faults::default(),
        begun: Vec::new(),
        unsaid: Vec::new(),
        deferred: Vec::new(),
        reports: Reports::default(),
        presence: Presence::default(),
        walks: VecDeque::new(),
        walked: super::walk::Walked::default(),
        longest_ask_us: 0,
        link: None,
        timers,
        stopping: false,
    };
    for key in &from.inert {
        if !core.make_inert(key, true) {
            return Err(StartFailure::NothingInert(key.clone()));
        }
    }
    core.take_up(beside).map_err(failed)?;
    core.check_what_works();
    core.commit().map_err(failed)?;
    Ok((core, lock))
}

/// How much there is in a new world.
pub(super) const fn population(rules: &Rules) -> Population {
    Population { natives: rules.natives, leash: rules.wander_range, spawners: rules.spawners }
}

fn tombstones(path: &Path) -> Result<Tombstones, StartFailure> {
    match fs::read(path) {
        Ok(text) => serde_json::from_slice(&text).map_err(|source| StartFailure::Tombstones(path.to_owned(), source)),
        Err(missing) if missing.kind() == io::ErrorKind::NotFound => Ok(Tombstones::default()),
        Err(source) => Err(StartFailure::Io { path: path.to_owned(), source }),
    }
}

fn configuration(from: &Started) -> Result<(Config, Rules), StartFailure> {
    let config = match &from.config_file {
        None => Config::default(),
        Some(path) => {
            let text = fs::read_to_string(path).map_err(|source| StartFailure::Io { path: path.clone(), source })?;
            Config::load(&text).map_err(|source| StartFailure::Config { path: path.clone(), source })?
        }
    };
    let mut rules = Rules::read(&config);
    rules.events_enabled |= from.enable_events;
    rules.admin_write_enabled |= from.enable_admin_write;
    Ok((config, rules))
}

/// The saved world or, the first time, a new one. Serials that an earlier process may have given out are passed over.
fn world(from: &Started, rules: &Rules) -> Result<(World, SavedBeside), StartFailure> {
    let saved = World::load(&from.directory, from.seed)?;
    let new = || (World::populated(from.seed, population(rules)), SavedBeside::default());
    let (mut world, beside) = saved.unwrap_or_else(new);
    let start = given_out(&from.directory);
    let end = start.max(world.reserved_to()).saturating_add(SERIAL_BLOCK);
    let path = from.directory.join("serials");
    disk::replace(&path, end.to_string().as_bytes()).map_err(|source| StartFailure::Io { path, source })?;
    world.reserve_serials(start, end);
    Ok((world, beside))
}

fn given_out(directory: &Path) -> u32 {
    fs::read_to_string(directory.join("serials")).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

impl Core {
    /// Takes up what was saved beside the world. A hold that ended since the save is ended once more.
    fn take_up(&mut self, beside: SavedBeside) -> io::Result<()> {
        let now_ms = self.game.now_ms;
        self.game.participation.take_up(beside.participation, now_ms);
        let (plane, mut ground) = self.game.leases();
        let ended = plane.take_up(beside.holds, now_ms, &mut ground);
        ended.into_iter().try_for_each(|expiry| self.tell_ended(expiry))
    }

    /// What the game calls itself.
    pub fn server_name(&self) -> &str {
        &self.game.rules.server_name
    }
}
