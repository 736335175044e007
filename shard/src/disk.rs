//! Files that must survive a crash: whole or not at all.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::Path,
};

/// Puts a file in the place of another so that a crash leaves the old one or the new one, whole.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("new");
    let mut file = File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&beside, path)?;
    path.parent().map_or(Ok(()), |directory| File::open(directory)?.sync_all())
}

/// The whole lines of a file, which is made if it is not there. A last line without its line feed was torn by a crash and is cut off.
pub fn whole_lines(path: &Path) -> io::Result<String> {
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
    if whole < bytes.len() {
        tracing::warn!(path = %path.display(), bytes = bytes.len() - whole, "cut off a line that a crash tore");
        bytes.truncate(whole);
        file.set_len(whole as u64)?;
        file.sync_all()?;
    }
    String::from_utf8(bytes).map_err(|fault| io::Error::new(io::ErrorKind::InvalidData, fault))
}
