//! What this sidecar has seen of its engine's log, kept in a file: the one thing that it must not forget in a crash.
//!
//! A command's mark is on disk before the command goes to the game. So whatever a game may have done, the file names a
//! place in the log that is at least as far as the claim of it.

use leasehold_link::wire::{Mark, Seen};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
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
    written: Arc<Mutex<Written>>,
    /// Held by whoever writes.
    turn: Arc<Mutex<()>>,
    _lock: File,
}

/// What the file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// Of no scope in particular: what counts for a scope that has seen nothing of its own.
    seen: Vec<Mark>,
    #[serde(default)]
    scopes: BTreeMap<String, Vec<Mark>>,
}

impl Written {
    fn of(&self, scope: Option<&str>) -> Seen {
        let own = scope.and_then(|scope| self.scopes.get(scope));
        Seen { seen: own.unwrap_or(&self.seen).clone() }
    }

    fn with(&self, scope: Option<&str>, Seen { seen }: Seen) -> Self {
        let mut next = self.clone();
        match scope {
            Some(scope) => drop(next.scopes.insert(scope.to_owned(), seen)),
            None => next.seen = seen,
        }
        next
    }
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
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => Written::default(),
            Err(source) => return Err(unwritable(source)),
        };
        Ok(Self { path: path.into(), written: Arc::new(Mutex::new(seen)), turn: Arc::default(), _lock: lock })
    }

    /// What is on disk of that scope.
    pub fn seen(&self, scope: Option<&str>) -> Seen {
        held(&self.written).of(scope)
    }

    /// Every scope that commands were ever sent to.
    pub fn scopes(&self) -> Vec<String> {
        held(&self.written).scopes.keys().cloned().collect()
    }

    /// A command was sent from there; returns once that is on disk.
    pub async fn raise(&self, scope: Option<&str>, mark: Mark) -> Result<Seen, SeenFailure> {
        let seen = self.seen(scope);
        if seen.raised_to(&mark) == seen {
            return Ok(seen);
        }
        self.write(scope, move |seen| seen.raised_to(&mark)).await
    }

    /// History goes on from there; returns once that is on disk.
    pub async fn serve(&self, scope: Option<&str>, mark: Mark) -> Result<Seen, SeenFailure> {
        tracing::warn!(log = mark.log, position = mark.position, "the engine goes on from another place in its history");
        self.write(scope, move |seen| seen.served(&mark)).await
    }

    /// One writer at a time, on a thread that may wait for the disk.
    async fn write(&self, scope: Option<&str>, change: impl FnOnce(&Seen) -> Seen + Send + 'static) -> Result<Seen, SeenFailure> {
        let scope = scope.map(str::to_owned);
        let (path, written, turn) = (Arc::clone(&self.path), Arc::clone(&self.written), Arc::clone(&self.turn));
        let write = move || {
            let _turn = held(&turn);
            let before = held(&written).clone();
            let seen = change(&before.of(scope.as_deref()));
            let next = before.with(scope.as_deref(), seen.clone());
            if next != before {
                replace(&path, &serde_json::json!(next).to_string())?;
                held(&written).clone_from(&next);
            }
            Ok(seen)
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
