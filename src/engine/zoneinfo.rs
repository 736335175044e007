//! Reading a directory of compiled zone files, such as `/usr/share/zoneinfo`.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use leasehold_aggregates::zones::{MAX_FILE_BYTES, ZoneFileFault, Zones, is_zone_area, is_zone_name};
use sha2::{Digest, Sha256};

/// Most zone files that are read; there are some six hundred.
const MOST: usize = 4_096;
/// Most folders inside each other, as in `America/Argentina/Ushuaia`.
const DEEPEST: usize = 3;
/// Files that tell the release in their first line, after these words.
const TOLD_IN: [(&str, &str); 2] = [("tzdata.zi", "# version "), ("+VERSION", "")];

/// Why a directory gives no zone rules.
#[derive(Debug, thiserror::Error)]
pub enum ZoneinfoFault {
    #[error("the zone files in {0} cannot be read: {1}")]
    Unreadable(PathBuf, #[source] io::Error),
    #[error("{0} holds no compiled zone files: it should have Europe/Berlin and the like in it")]
    Empty(PathBuf),
    #[error("{0} holds more than {MOST} zone files")]
    TooMany(PathBuf),
    #[error("{0} cannot be used as zone data: {1}")]
    Unusable(PathBuf, #[source] ZoneFileFault),
}

/// The rules of every zone in the directory. Whatever is no zone (tables, scripts, the folders `posix` and `right`) is
/// passed over; a zone whose file is damaged fails the whole, and is named.
pub fn load(directory: &Path) -> Result<Zones, ZoneinfoFault> {
    let unreadable = |error| ZoneinfoFault::Unreadable(directory.to_owned(), error);
    let mut files = Vec::new();
    gather(directory, "", &mut files).map_err(unreadable)?;
    if files.is_empty() {
        return Err(ZoneinfoFault::Empty(directory.to_owned()));
    }
    if files.len() > MOST {
        return Err(ZoneinfoFault::TooMany(directory.to_owned()));
    }
    files.sort();
    let release = told(directory).unwrap_or_else(|| digest(&files));
    Zones::compiled(release, files).map_err(|fault| ZoneinfoFault::Unusable(directory.to_owned(), fault))
}

/// Adds every zone file below `directory / prefix`.
fn gather(directory: &Path, prefix: &str, files: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    for entry in fs::read_dir(directory.join(prefix))? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let name = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        let folder = fs::metadata(entry.path())?.is_dir();
        if folder && is_zone_area(&name) && name.matches('/').count() + 1 < DEEPEST {
            gather(directory, &name, files)?;
        } else if !folder && is_zone_name(&name) && files.len() <= MOST {
            files.push((name, content(&entry.path())?));
        }
    }
    Ok(())
}

/// A file's bytes, and of one that is too large as many as show that it is.
fn content(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(MAX_FILE_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The release as the directory tells it, e.g. `2025b`.
fn told(directory: &Path) -> Option<String> {
    let first_line = |(file, before): (&str, &str)| {
        let bytes = content(&directory.join(file)).ok()?;
        let line = String::from_utf8_lossy(&bytes).lines().next()?.trim().strip_prefix(before)?.to_owned();
        let plain = !line.is_empty() && line.len() <= 32 && line.chars().all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c));
        plain.then_some(line)
    };
    TOLD_IN.into_iter().find_map(first_line)
}

/// What stands for the release where nothing tells it: the same files have the same.
fn digest(files: &[(String, Vec<u8>)]) -> String {
    let mut digest = Sha256::new();
    for (name, bytes) in files {
        digest.update(name.len().to_be_bytes());
        digest.update(name);
        digest.update(bytes.len().to_be_bytes());
        digest.update(bytes);
    }
    format!("sha256:{}", &hex::encode(digest.finalize())[..12])
}
