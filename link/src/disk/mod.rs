//! Files that must survive a crash: one that is replaced as a whole, and one that grows by lines, each flushed.

mod lines;

pub use lines::{LineFile, whole_lines};

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Puts a file in the place of another so that a crash leaves the old one or the new one, whole.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_by(path, |file| file.write_all(bytes))
}

fn replace_by(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let fresh = with_ending(path, ".new");
    let mut file = File::create(&fresh)?;
    write(&mut file)?;
    file.sync_all()?;
    fs::rename(&fresh, path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// The same path with that behind its name.
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests;
