//! What this sidecar has seen of its engine's log, kept in a file: the one thing that it must not forget in a crash.
//!
//! A command's mark is on disk before the command goes to the game. So whatever a game may have done, the file names a
//! place in the log that is at least as far as the claim of it. Each line of the file says everything; the last one counts.

use leasehold_link::{
    disk::{LineFile, whole_lines, with_ending},
    wire::{Mark, Seen},
};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// How many bytes of lines there are before only the last is kept.
const LONGEST: u64 = 1024 * 1024;

/// The file, held by this process alone.
pub struct SeenFile {
    path: PathBuf,
    /// Locked for moments only.
    marks: Arc<Mutex<Marks>>,
    /// Held by whoever writes. Those that wait for it have their marks written along with the next. None before the first writing,
    /// and after one that failed: the next puts a new file in the place of whatever is there.
    file: Arc<Mutex<Option<LineFile>>>,
    _lock: File,
}

/// What is on disk, and what is to be.
#[derive(Default)]
struct Marks {
    written: Written,
    wanted: Written,
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

impl SeenFile {
    /// Takes the file for this process and reads it; a file that is not there has seen nothing.
    pub fn open(path: PathBuf) -> Result<Self, SeenFailure> {
        let unwritable = |source| SeenFailure::Unwritable { path: path.clone(), source };
        let lock = File::create(with_ending(&path, ".lock")).map_err(unwritable)?;
        lock.try_lock().map_err(|_| SeenFailure::InUse(path.clone()))?;
        let kept = match fs::read(&path) {
            Ok(kept) => kept,
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(source) => return Err(unwritable(source)),
        };
        let written = read(&kept).map_err(|fault| SeenFailure::Broken { path: path.clone(), fault })?;
        let marks = Marks { wanted: written.clone(), written };
        Ok(Self { path, marks: Arc::new(Mutex::new(marks)), file: Arc::default(), _lock: lock })
    }

    /// What is on disk of that scope.
    pub fn seen(&self, scope: Option<&str>) -> Seen {
        held(&self.marks).written.of(scope)
    }

    /// Every scope that commands were ever sent to.
    pub fn scopes(&self) -> Vec<String> {
        held(&self.marks).written.scopes.keys().cloned().collect()
    }

    /// A command was sent from there; returns once that is on disk.
    pub async fn raise(&self, scope: Option<&str>, mark: Mark) -> Result<Seen, SeenFailure> {
        self.write(scope, move |seen| seen.raised_to(&mark)).await
    }

    /// History goes on from there; returns once that is on disk.
    pub async fn serve(&self, scope: Option<&str>, mark: Mark) -> Result<Seen, SeenFailure> {
        tracing::warn!(log = mark.log, position = mark.position, "the engine goes on from another place in its history");
        self.write(scope, move |seen| seen.served(&mark)).await
    }

    /// One writer at a time, on a thread that may wait for the disk.
    async fn write(&self, scope: Option<&str>, change: impl FnOnce(&Seen) -> Seen) -> Result<Seen, SeenFailure> {
        let seen = {
            let mut marks = held(&self.marks);
            let seen = change(&marks.wanted.of(scope));
            marks.wanted = marks.wanted.with(scope, seen.clone());
            if marks.wanted == marks.written {
                return Ok(seen);
            }
            seen
        };
        let (path, marks, file) = (self.path.clone(), Arc::clone(&self.marks), Arc::clone(&self.file));
        let written = tokio::task::spawn_blocking(move || write_wanted(&path, &marks, &file)).await;
        let written = written.unwrap_or_else(|ended| Err(io::Error::other(ended)));
        written.map(|()| seen).map_err(|source| SeenFailure::Unwritable { path: self.path.clone(), source })
    }
}

/// Writes what is wanted by now, unless whoever had the turn before has done so.
fn write_wanted(path: &Path, marks: &Mutex<Marks>, file: &Mutex<Option<LineFile>>) -> io::Result<()> {
    let mut file = held(file);
    let wanted = {
        let marks = held(marks);
        if marks.wanted == marks.written {
            return Ok(());
        }
        marks.wanted.clone()
    };
    let line = line_of(&wanted);
    let short = file.take().filter(|file| file.length() < LONGEST);
    *file = Some(match short {
        Some(mut file) => {
            file.append(&line)?;
            file
        }
        None => LineFile::replacing(path, &line)?,
    });
    held(marks).written = wanted;
    Ok(())
}

/// What the last whole line says. A file without one is whole by itself, as an earlier version wrote it, or empty.
fn read(kept: &[u8]) -> Result<Written, serde_json::Error> {
    let lines = whole_lines(kept);
    let last = lines.split(|byte| *byte == b'\n').rfind(|line| !line.is_empty());
    match last {
        Some(last) => serde_json::from_slice(last),
        None if kept.is_empty() => Ok(Written::default()),
        None => serde_json::from_slice(kept),
    }
}

fn line_of(written: &Written) -> String {
    format!("{}\n", serde_json::json!(written))
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
