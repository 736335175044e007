//! The programs under test, as this build of the workspace has them.

#[path = "../built.rs"]
mod built;

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The engine.
pub fn engine() -> PathBuf {
    env!("CARGO_BIN_EXE_leasehold").into()
}

/// The sidecar.
pub fn link() -> PathBuf {
    beside().join("leasehold-link")
}

/// The reference game.
pub fn shard() -> PathBuf {
    beside().join("leasehold-shard")
}

/// Where the engine lies, once the programs of the other packages have been built there: for each run of tests anew, so
/// that nothing stale is ever tested, and once for all processes of a run.
fn beside() -> &'static Path {
    static BESIDE: OnceLock<PathBuf> = OnceLock::new();
    BESIDE.get_or_init(|| {
        let profile = engine().parent().unwrap().to_owned();
        let lock = File::create(profile.join(".e2e-lock")).unwrap();
        lock.lock().unwrap();
        let run = env::var("NEXTEST_RUN_ID").ok();
        let stamp = profile.join(".e2e-built-for");
        if run.is_none() || fs::read_to_string(&stamp).ok() != run {
            built::build(&profile);
            fs::write(&stamp, run.unwrap_or_default()).unwrap();
        }
        profile
    })
}
