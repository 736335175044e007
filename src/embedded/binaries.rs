//! Finding the server's programs: where the user says, on `PATH`, in the folders that distributions use.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::error::{EmbeddedError, io};

/// Folders beside `PATH`. A star is any one name; of several, the highest version comes first.
const FOLDERS: [&str; 9] = [
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/usr/libexec/postgresql*",
    "/usr/lib64/pgsql/bin",
    "/usr/local/pgsql/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
    "/Library/PostgreSQL/*/bin",
    "/usr/bin",
];

/// What a folder must hold to be of use.
const PROGRAMS: [&str; 3] = ["initdb", "postgres", "pg_ctl"];

/// A folder with the server's programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binaries {
    dir: PathBuf,
    /// Major version, as it stands in a cluster's `PG_VERSION`.
    major: String,
}

impl Binaries {
    /// The programs to use; for a `cluster` that exists already, those of the version that wrote it.
    pub fn find(cluster: Option<&Path>) -> Result<Self, EmbeddedError> {
        let written_by = cluster.map(written_by).transpose()?.flatten();
        let explicit = env::var_os("LEASEHOLD_PG_BIN").filter(|dir| !dir.is_empty());
        let mut found = match &explicit {
            Some(dir) => vec![Self::in_dir(Path::new(dir)).ok_or_else(|| EmbeddedError::NotThere { dir: dir.into() })?],
            None => candidates().iter().filter_map(|dir| Self::in_dir(dir)).collect(),
        };
        if let (Some(wanted), Some(dir)) = (written_by, cluster) {
            found.retain(|binaries| binaries.major == wanted);
            return found.into_iter().next().ok_or_else(|| EmbeddedError::OtherVersion { dir: dir.to_owned(), wanted });
        }
        found.into_iter().next().ok_or(EmbeddedError::NoBinaries)
    }

    /// The path of one program.
    pub fn program(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    fn in_dir(dir: &Path) -> Option<Self> {
        if !PROGRAMS.iter().all(|program| dir.join(program).is_file()) {
            return None;
        }
        // Links lead to where the server finds what it shares with its programs.
        let dir = fs::canonicalize(dir.join("initdb")).ok()?.parent()?.to_owned();
        let said = Command::new(dir.join("postgres")).arg("--version").output().ok()?;
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        let version = said.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()))?;
        let major = version.chars().take_while(char::is_ascii_digit).collect();
        Some(Self { dir, major })
    }
}

/// The major version that wrote a cluster; none if there is no cluster.
fn written_by(cluster: &Path) -> Result<Option<String>, EmbeddedError> {
    let file = cluster.join("PG_VERSION");
    match fs::read_to_string(&file) {
        Ok(version) => Ok(Some(version.trim().to_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io("the version of the data cannot be read", &file)(error)),
    }
}

fn candidates() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).chain(FOLDERS.iter().flat_map(|pattern| expand(pattern))).collect()
}

/// The folders that a pattern with one star at most stands for, the highest number first.
fn expand(pattern: &str) -> Vec<PathBuf> {
    let Some((before, after)) = pattern.split_once('*') else { return vec![PathBuf::from(pattern)] };
    let (parent, prefix) = before.rsplit_once('/').unwrap_or(("", before));
    let after = after.trim_start_matches('/');
    let Ok(entries) = fs::read_dir(parent) else { return Vec::new() };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.starts_with(prefix)).collect();
    names.sort_by_key(|name| std::cmp::Reverse(number(name)));
    names.iter().map(|name| Path::new(parent).join(name).join(OsStr::new(after))).collect()
}

fn number(name: &str) -> u32 {
    let digits: String = name.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_version_comes_first() {
        let root = tempfile::tempdir().unwrap();
        for version in ["9", "16", "15"] {
            fs::create_dir_all(root.path().join(version).join("bin")).unwrap();
        }
        let found = expand(&format!("{}/*/bin", root.path().display()));
        let expected: Vec<PathBuf> = ["16", "15", "9"].map(|version| root.path().join(version).join("bin")).into();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_cluster_of_another_version_is_refused_with_its_number() {
        let cluster = tempfile::tempdir().unwrap();
        fs::write(cluster.path().join("PG_VERSION"), "7\n").unwrap();
        let refused = Binaries::find(Some(cluster.path())).unwrap_err();
        assert!(matches!(&refused, EmbeddedError::OtherVersion { wanted, .. } if wanted == "7"), "{refused}");
    }
}
