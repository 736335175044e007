//! What this sidecar has seen of its engine's log, kept in a file: the one thing that it must not forget in a crash.
//!
//! A command's mark is on disk before the command goes to the game. So whatever a game may have done, the file names a
//! place in the log that is at least as far as the claim of it.

use leasehold_link::wire::{Mark, Seen};
use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The file, held by this process alone.
pub struct SeenFile {
    path: Arc<Path>,
    /// What is on disk. Locked for moments only.
    written: Arc<Mutex<Seen>>,
    /// Held by whoever writes.
    turn: Arc<Mutex<()>>,
    _lock: File,
}

/// Why what was seen cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum SeenFailure {
    #[error(
        "what was seen of the engine's log cannot be kept in {path}: {source}; name a file that can be written with --seen-file"
    )]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("another sidecar keeps what it has seen in {0}; give each a file of its own with --seen-file")]
    InUse(PathBuf),
    #[error(
        "{path} does not read as what a sidecar has seen: {fault}. Without it a rewound log goes unnoticed once; put it back, or delete it"
    )]
    Broken { path: PathBuf, fault: serde_json::Error },
}

/// Where it is kept unless somebody says otherwise: beside the token.
pub fn beside(token_file: &Path) -> PathBuf {
    with_ending(token_file, ".seen")
}

pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

impl SeenFile {
    /// Takes the file for this process and reads it; a file that is not there has seen nothing.
    pub fn open(path: PathBuf) -> Result<Self, SeenFailure> {
        let unwritable = |source| SeenFailure::Unwritable { path: path.clone(), source };
        let lock = File::create(with_ending(&path, ".lock")).map_err(unwritable)?;
        lock.try_lock().map_err(|_| SeenFailure::InUse(path.clone()))?;
        let seen = match fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text).map_err(|fault| SeenFailure::Broken { path: path.clone(), fault })?,
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => Seen::default(),
            Err(source) => return Err(unwritable(source)),
        };
        Ok(Self { path: path.into(), written: Arc::new(Mutex::new(seen)), turn: Arc::default(), _lock: lock })
    }

    /// What is on disk.
    pub fn seen(&self) -> Seen {
        held(&self.written).clone()
    }

    /// A command was sent from there; returns once that is on disk.
    pub async fn raise(&self, mark: Mark) -> Result<Seen, SeenFailure> {
        let seen = self.seen();
        if seen.raised_to(&mark) == seen {
            return Ok(seen);
        }
        self.write(move |seen| seen.raised_to(&mark)).await
    }

    /// History goes on from there; returns once that is on disk.
    pub async fn serve(&self, mark: Mark) -> Result<Seen, SeenFailure> {
        tracing::warn!(log = mark.log, position = mark.position, "the engine goes on from another place in its history");
        self.write(move |seen| seen.served(&mark)).await
    }

    /// One writer at a time, on a thread that may wait for the disk.
    async fn write(&self, change: impl FnOnce(&Seen) -> Seen + Send + 'static) -> Result<Seen, SeenFailure> {
        let (path, written, turn) = (Arc::clone(&self.path), Arc::clone(&self.written), Arc::clone(&self.turn));
        let write = move || {
            let _turn = held(&turn);
            let before = held(&written).clone();
            let next = change(&before);
            if next != before {
                replace(&path, &serde_json::json!(next).to_string())?;
                held(&written).clone_from(&next);
            }
            Ok(next)
        };
        let done = tokio::task::spawn_blocking(write).await.unwrap_or_else(|ended| Err(io::Error::other(ended)));
        done.map_err(|source| SeenFailure::Unwritable { path: self.path.to_path_buf(), source })
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts the text in the place of the file, whole or not at all, and through to the disk.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let fresh = with_ending(path, ".new");
    let mut file = File::create(&fresh)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&fresh, path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
