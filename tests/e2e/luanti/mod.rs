//! A real game that nobody here has written: a server of Luanti, driven through its own mod. Where it is not installed these
//! tests say so in a line and pass.

mod deaths;
mod game;
mod ground;
mod kit;
mod life;
mod older_log;
mod parts;
mod players;
mod presence;
mod privileges;

use std::path::{Path, PathBuf};

/// The first of these programs that is there.
fn installed(candidates: &[&str]) -> Option<PathBuf> {
    candidates.iter().map(PathBuf::from).find(|path| path.is_file())
}

/// Says what is passed over and why.
fn skip(tests: u32, why: &str) {
    eprintln!("skipped: {tests} of Luanti, for {why}");
}

/// The folder of the game's module.
fn module() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("modules/luanti")
}
