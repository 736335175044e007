//! From a data directory to a running game.

use super::{Core, SERIAL_BLOCK, reports::Reports};
use crate::{
    audit::Audit,
    clock::GameClock,
    config::{Config, ConfigFault, Rules},
    disk,
    faults::Faults,
    game::Game,
    journal::{Journal, JournalFailure},
    keys::KeyStore,
    lease::LeasePlane,
    world::{SaveFault, World},
};
use leasehold_link::wire::limits::{KEY_CAP, KEY_MEMORY_SEC};
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio::runtime::Handle;

/// What a game starts from.
#[derive(Debug)]
pub struct Started {
    pub directory: PathBuf,
    pub boot_id: String,
    pub seed: u64,
    pub config_file: Option<PathBuf>,
    pub enable_events: bool,
    pub enable_admin_write: bool,
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
    let world = world(&from, &rules)?;
    let mut keys = KeyStore::new(KEY_MEMORY_SEC, KEY_CAP);
    let (journal, fences) = Journal::open(&directory, now_ms, &mut keys)?;
    let audit = Audit::open(&directory, from.boot_id.clone()).map_err(failed)?;
    let leases = LeasePlane::new(rules.lease_max_ms);
    let game = Game { world, config, rules, leases, fences, broadcasts: 0, save_asked: false, now_ms };
    let core = Core {
        game,
        clock,
        boot_id: from.boot_id,
        directory: from.directory,
        keys,
        journal,
        audit,
        faults: Faults::default(),
        deferred: Vec::new(),
        reports: Reports::default(),
        link: None,
        timers,
        stopping: false,
    };
    Ok((core, lock))
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
fn world(from: &Started, rules: &Rules) -> Result<World, StartFailure> {
    let saved = World::load(&from.directory, from.seed)?;
    let mut world = saved.unwrap_or_else(|| World::populated(from.seed, rules.natives, rules.wander_range));
    let start = given_out(&from.directory);
    let end = start.max(world.reserved_to()).saturating_add(SERIAL_BLOCK);
    let path = from.directory.join("serials");
    disk::replace(&path, end.to_string().as_bytes()).map_err(|source| StartFailure::Io { path, source })?;
    world.reserve_serials(start, end);
    Ok(world)
}

fn given_out(directory: &Path) -> u32 {
    fs::read_to_string(directory.join("serials")).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

impl Core {
    /// What the game calls itself.
    pub fn server_name(&self) -> &str {
        &self.game.rules.server_name
    }
}
