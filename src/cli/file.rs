//! Files that a command reads whole and writes whole.

use std::fs;
use std::io::{Error, Write};
use std::path::{Path, PathBuf};

/// A file, with its name in what is said when it cannot be read.
pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))
}

/// Puts `text` in the place of what the file held. Whoever reads it meanwhile, or after a crash, finds the old text or the
/// new one.
pub fn replace(path: &Path, text: &str) -> Result<(), String> {
    written(path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

fn written(path: &Path, text: &str) -> Result<(), Error> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let fresh = beside(path);
    let mut file = fs::File::create(&fresh)?;
    let done = file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&fresh, path));
    if done.is_err() {
        let _ = fs::remove_file(&fresh);
    }
    done?;
    fs::File::open(folder)?.sync_all()
}

/// A name in the same folder that no other process takes.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.new", std::process::id()));
    path.with_file_name(name)
}
