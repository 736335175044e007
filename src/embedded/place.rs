//! Where things lie: the cluster, its secret, its log, its socket; and the lock that makes one engine their owner.

use std::env;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rand::TryRngCore;
use sha2::{Digest, Sha256};

use super::account::Account;
use super::error::{EmbeddedError, io};

/// Where clusters go whose data directory their user cannot reach.
const ELSEWHERE: &str = "/var/lib/leasehold";
/// A socket's whole path has room for 107 bytes; its own name takes `/.s.PGSQL.65535`.
const LONGEST_SOCKET_DIR: usize = 107 - 15;

/// Keeps every other engine out of a data directory for as long as it lives.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    pub fn take(data_dir: &Path) -> Result<Self, EmbeddedError> {
        let path = data_dir.join("engine.lock");
        let cannot = || io("cannot be opened", &path);
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = open.map_err(cannot())?;
        if file.try_lock().is_err() {
            let mut holder = String::new();
            file.read_to_string(&mut holder).map_err(cannot())?;
            return Err(EmbeddedError::InUse { dir: data_dir.to_owned(), holder: holder.trim().to_owned() });
        }
        file.set_len(0).and_then(|()| file.rewind()).map_err(cannot())?;
        writeln!(file, "process {}", std::process::id()).map_err(cannot())?;
        Ok(Self { _file: file })
    }
}

/// The paths of one cluster and the user that runs it.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub cluster: PathBuf,
    pub log: PathBuf,
    pub sockets: PathBuf,
    pub account: Account,
    /// Set when the cluster had to go elsewhere than the data directory.
    pub moved: bool,
}

impl Place {
    /// Where the cluster of `data_dir` lies, or is to lie. One that exists stays where it is.
    pub fn of(data_dir: &Path) -> Result<Self, EmbeddedError> {
        let account = Account::choose()?;
        let digest = hex::encode(&Sha256::digest(data_dir.as_os_str().as_encoded_bytes())[..8]);
        let inside = data_dir.join("postgres");
        let elsewhere = Path::new(ELSEWHERE).join(&digest).join("postgres");
        let existing = [(&inside, false), (&elsewhere, true)].into_iter().find(|(dir, _)| dir.join("PG_VERSION").exists());
        let (cluster, moved, account) = match existing {
            Some((cluster, moved)) => {
                let account = account.of_cluster(cluster)?;
                if !account.reaches(cluster) {
                    return Err(EmbeddedError::Unreachable { dir: cluster.clone(), user: account.uid() });
                }
                (cluster.clone(), moved, account)
            }
            None if can_lie_in(data_dir, account)? => (inside, false, account),
            None => (made_elsewhere(elsewhere, account)?, true, account),
        };
        let log = cluster.with_file_name("postgres.log");
        Ok(Self { cluster, log, sockets: sockets(&digest, account)?, account, moved })
    }
}

/// Whether the server's user could work in a folder made here.
fn can_lie_in(data_dir: &Path, account: Account) -> Result<bool, EmbeddedError> {
    let trial = data_dir.join("postgres.trial");
    folder(&trial, account)?;
    let reached = account.reaches(&trial);
    fs::remove_dir(&trial).map_err(io("cannot be removed", &trial))?;
    Ok(reached)
}

/// Makes the folders that lead to a place outside the data directory, which others may pass but not list.
fn made_elsewhere(cluster: PathBuf, account: Account) -> Result<PathBuf, EmbeddedError> {
    let home = cluster.parent().unwrap_or(Path::new(ELSEWHERE));
    fs::create_dir_all(home).map_err(io("cannot be made", home))?;
    for dir in [Path::new(ELSEWHERE), home] {
        fs::set_permissions(dir, PermissionsExt::from_mode(0o711)).map_err(io("cannot be opened to the server's user", dir))?;
    }
    if can_lie_in(home, account)? { Ok(cluster) } else { Err(EmbeddedError::Unreachable { dir: cluster, user: account.uid() }) }
}

/// Makes a folder for the server's user alone, with all that lead to it. One that exists must be that user's.
pub(super) fn folder(path: &Path, account: Account) -> Result<(), EmbeddedError> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(io("cannot be made", parent))?;
    }
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => account.give(path),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let found = fs::symlink_metadata(path).map_err(io("cannot be looked at", path))?;
            if !found.is_dir() || found.uid() != account.uid() {
                return Err(EmbeddedError::Taken { dir: path.to_owned() });
            }
            fs::set_permissions(path, PermissionsExt::from_mode(0o700)).map_err(io("cannot be closed to others", path))
        }
        Err(error) => Err(io("cannot be made", path)(error)),
    }
}

fn sockets(digest: &str, account: Account) -> Result<PathBuf, EmbeddedError> {
    let name = format!("leasehold-{digest}");
    let runtime = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let own = runtime.filter(|dir| dir.metadata().is_ok_and(|found| found.uid() == account.uid()));
    let short = own.map(|dir| dir.join(&name)).filter(|dir| dir.as_os_str().len() <= LONGEST_SOCKET_DIR);
    let dir = short.unwrap_or_else(|| Path::new("/tmp").join(&name));
    folder(&dir, account)?;
    Ok(dir)
}

/// The file that only a data directory of ours has.
pub(super) const SECRET: &str = "postgres.secret";

/// The secret from which the cluster's passwords are made, 64 hex digits; minted on first use, readable by the engine's
/// user alone.
pub(super) fn secret(data_dir: &Path) -> Result<String, EmbeddedError> {
    let path = data_dir.join(SECRET);
    match fs::read_to_string(&path) {
        Ok(secret) if secret.trim().len() == 64 => return Ok(secret.trim().to_owned()),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(io("cannot be read", &path)(error)),
    }
    let mut bytes = [0_u8; 32];
    rand::rngs::OsRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| io("no random bytes could be had for it", &path)(std::io::Error::other(error)))?;
    let secret = hex::encode(bytes);
    let fresh = data_dir.join("postgres.secret.new");
    let _ = fs::remove_file(&fresh);
    let open = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&fresh);
    let written = open.and_then(|mut file| {
        file.write_all(secret.as_bytes())?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&fresh, &path)).map_err(io("cannot be written", &path))?;
    Ok(secret)
}
