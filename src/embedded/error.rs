//! Why the engine's own PostgreSQL does not run, in words that say what to do.

use std::path::{Path, PathBuf};

/// The database under the data directory could not be started, or not be stopped.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddedError {
    #[error(
        "no PostgreSQL was found: neither LEASEHOLD_PG_BIN nor PATH nor the usual folders hold initdb, postgres and pg_ctl. \
         Install it (the package is `postgresql` on Debian and Ubuntu, `postgresql-server` on Fedora), or set DATABASE_URL \
         to a database of your own"
    )]
    NoBinaries,
    #[error("LEASEHOLD_PG_BIN names {dir}, and that folder does not hold initdb, postgres and pg_ctl")]
    NotThere { dir: PathBuf },
    #[error(
        "the data in {dir} was written by PostgreSQL {wanted}, and only other versions were found. Install version {wanted}, \
         or name the folder of its programs in LEASEHOLD_PG_BIN"
    )]
    OtherVersion { dir: PathBuf, wanted: String },
    #[error(
        "{dir} is in use by another engine ({holder}): one engine owns a data directory. Stop it, or choose another directory"
    )]
    InUse { dir: PathBuf, holder: String },
    #[error("PostgreSQL does not run as root, and there is neither a user `postgres` nor a user `nobody` to run it as")]
    NobodyToRunAs,
    #[error("the data in {dir} belongs to user {owner}, and this engine runs as user {us}: start it as that user, or as root")]
    Foreign { dir: PathBuf, owner: u32, us: u32 },
    #[error("the data in {dir} cannot be reached by user {user}, who runs PostgreSQL: open the folders above it to that user")]
    Unreachable { dir: PathBuf, user: u32 },
    #[error("{dir} belongs to somebody else than the user that runs PostgreSQL: remove it")]
    Taken { dir: PathBuf },
    #[error("{program} failed: {said}")]
    Program { program: String, said: String },
    #[error("PostgreSQL did not start; its log {log} ends: {tail}")]
    NotStarted { log: PathBuf, tail: String },
    #[error("PostgreSQL runs, but its database could not be made ready")]
    Database(#[from] sqlx::Error),
    #[error("{path}: {what}")]
    Io { what: &'static str, path: PathBuf, source: std::io::Error },
}

impl EmbeddedError {
    /// Whether another engine has the data directory.
    pub fn is_in_use(&self) -> bool {
        matches!(self, Self::InUse { .. })
    }
}

/// Names the file in an error of the operating system.
pub(super) fn io(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> EmbeddedError {
    let path = path.to_owned();
    move |source| EmbeddedError::Io { what, path, source }
}
