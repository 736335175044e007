//! The file: taken by one process, made where it is missing, put aside where it is something else.

use super::store::{Reader, Retention, Store};
use leasehold_link::disk::with_ending;
use rusqlite::{Connection, OpenFlags, OptionalExtension, config::DbConfig};
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

/// Marks the file as one of ours, in its header: `LhLk`.
const APPLICATION: i32 = 0x4c68_4c6b;
/// The layout below.
const LAYOUT: i32 = 1;
/// How long one side waits for the other's hold on the file.
const PATIENCE: Duration = Duration::from_secs(5);

const SCHEMA: &str = "
    -- One row: the id under which this file's numbers count.
    create table feed (id text not null);
    -- One report each. `at_ms` (when it was kept, in milliseconds since 1970) and `upto` (bytes of this scope's frames up to
    -- and with this one) never fall as `n` rises.
    create table reports (
        scope text not null, n integer not null, at_ms integer not null, upto integer not null, frame text not null,
        primary key (scope, n)
    ) without rowid;
    -- How far each scope has ever counted, also where all of it was dropped.
    create table counted (scope text primary key, newest integer not null, at_ms integer not null, upto integer not null);
    -- Up to which `seq` the reports of a game's boot are kept.
    create table boots (
        scope text not null, boot_id text not null, seq integer not null, at_ms integer not null, primary key (scope, boot_id)
    ) without rowid;
";

/// Why reports cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum FeedFailure {
    #[error("the game's reports cannot be kept in {path}: {source}; name a file that can be written with --feed-file")]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("another sidecar keeps reports in {0}; give each a file of its own with --feed-file")]
    InUse(PathBuf),
}

/// What a file opens to.
pub struct Opened {
    pub id: String,
    pub store: Store,
    pub reader: Reader,
    /// Held as long as the file is used.
    pub lock: File,
}

pub fn open(path: &Path, fresh: &str, retention: Retention) -> Result<Opened, FeedFailure> {
    let failed = |source| unwritable(path, source);
    let lock = File::create(with_ending(path, ".lock")).map_err(failed)?;
    lock.try_lock().map_err(|_| FeedFailure::InUse(path.to_owned()))?;
    if path.exists() && !is_ours(path).map_err(|fault| failed(io::Error::other(fault)))? {
        tracing::error!(path = %path.display(), "what is there is no feed; it is put aside and a new one begins");
        put_aside(path).map_err(failed)?;
    }
    let begun = begin(path, fresh, retention);
    let (id, store) = begun.map_err(|fault| failed(io::Error::other(fault)))?;
    let reader = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .and_then(|connection| connection.busy_timeout(PATIENCE).map(|()| Reader(connection)))
        .map_err(|fault| failed(io::Error::other(fault)))?;
    Ok(Opened { id, store, reader, lock })
}

pub fn unwritable(path: &Path, source: io::Error) -> FeedFailure {
    FeedFailure::Unwritable { path: path.to_owned(), source }
}

/// Renames the file, and what SQLite keeps beside it, to a name that is free.
fn put_aside(path: &Path) -> io::Result<()> {
    let free = |nth: u32| if nth == 0 { ".broken".to_owned() } else { format!(".broken-{nth}") };
    let ending = (0..1_000).map(free).find(|ending| !with_ending(path, ending).exists()).unwrap_or_else(|| free(0));
    let aside = with_ending(path, &ending);
    for rest in ["-wal", "-shm"] {
        drop(fs::rename(with_ending(path, rest), with_ending(&aside, rest)));
    }
    fs::rename(path, aside)
}

/// Whether a file reads as a feed of this layout. An empty one does: nothing was written yet. One that cannot be looked at now is
/// neither: it is an error, and nothing becomes of the file.
fn is_ours(path: &Path) -> rusqlite::Result<bool> {
    let read = || {
        let file = Connection::open(path)?;
        file.busy_timeout(PATIENCE)?;
        let number = |name: &str| file.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        let tables: i64 = file.query_row("select count(*) from sqlite_schema", (), |row| row.get(0))?;
        if tables == 0 {
            return Ok(true);
        }
        let id: Option<String> = file.query_row("select id from feed", (), |row| row.get(0)).optional()?;
        Ok::<_, rusqlite::Error>(number("application_id")? == APPLICATION && number("user_version")? == LAYOUT && id.is_some())
    };
    match read() {
        Err(fault) if passes(&fault) => Err(fault),
        read => Ok(read.unwrap_or(false)),
    }
}

/// Whether it says nothing of what the file is.
fn passes(fault: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode as Code;
    let passing = [
        Code::DatabaseBusy,
        Code::DatabaseLocked,
        Code::PermissionDenied,
        Code::CannotOpen,
        Code::DiskFull,
        Code::OutOfMemory,
        Code::ReadOnly,
        Code::SystemIoFailure,
    ];
    fault.sqlite_error_code().is_some_and(|code| passing.contains(&code))
}

fn begin(path: &Path, fresh: &str, retention: Retention) -> rusqlite::Result<(String, Store)> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    // A commit is on disk when it returns.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    let begin = connection.transaction()?;
    let tables: i64 = begin.query_row("select count(*) from sqlite_schema", (), |row| row.get(0))?;
    if tables == 0 {
        begin.execute_batch(SCHEMA)?;
        begin.execute("insert into feed (id) values (?1)", [fresh])?;
        begin.pragma_update(None, "application_id", APPLICATION)?;
        begin.pragma_update(None, "user_version", LAYOUT)?;
    }
    let id = begin.query_row("select id from feed", (), |row| row.get(0))?;
    begin.commit()?;
    Ok((id, Store::over(connection, retention)?))
}
