//! Whom the server runs as. PostgreSQL refuses root, so root's engine runs it as somebody with no rights.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use super::error::{EmbeddedError, io};

/// Users to run the server as when the engine runs as root, the best first.
const UNPRIVILEGED: [&str; 2] = ["postgres", "nobody"];

/// The user that runs the server, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Account {
    uid: u32,
    gid: u32,
    /// The engine runs as root and hands over to this user.
    handed_over: bool,
}

impl Account {
    /// The engine's own user, or for root somebody unprivileged.
    pub fn choose() -> Result<Self, EmbeddedError> {
        let us = id(None).ok_or(EmbeddedError::NobodyToRunAs)?;
        if us.0 != 0 {
            return Ok(Self { uid: us.0, gid: us.1, handed_over: false });
        }
        let (uid, gid) = UNPRIVILEGED.iter().find_map(|name| id(Some(name))).ok_or(EmbeddedError::NobodyToRunAs)?;
        Ok(Self { uid, gid, handed_over: true })
    }

    /// The user to run an existing cluster as: its owner, if the engine may be that user.
    pub fn of_cluster(self, cluster: &Path) -> Result<Self, EmbeddedError> {
        let metadata = fs::metadata(cluster).map_err(io("cannot be looked at", cluster))?;
        if metadata.uid() == self.uid {
            return Ok(self);
        }
        if self.handed_over && metadata.uid() != 0 {
            return Ok(Self { uid: metadata.uid(), gid: metadata.gid(), handed_over: true });
        }
        Err(EmbeddedError::Foreign { dir: cluster.to_owned(), owner: metadata.uid(), us: self.uid })
    }

    pub fn uid(self) -> u32 {
        self.uid
    }

    /// A command that this user runs, from a folder that everybody can enter.
    pub fn command(self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir("/");
        if self.handed_over {
            command.uid(self.uid).gid(self.gid);
        }
        command
    }

    /// Makes a file or folder this user's.
    pub fn give(self, path: &Path) -> Result<(), EmbeddedError> {
        if self.handed_over {
            chown(path, Some(self.uid), Some(self.gid)).map_err(io("cannot be given to the server's user", path))?;
        }
        Ok(())
    }

    /// Whether this user can enter the folder and write there.
    pub fn reaches(self, dir: &Path) -> bool {
        let mut look = self.command(Path::new("/bin/sh"));
        look.args(["-c", "cd \"$1\" && test -w .", "sh"]).arg(dir);
        look.stderr(std::process::Stdio::null()).status().is_ok_and(|status| status.success())
    }
}

/// Number and group of a user, or of ourselves.
fn id(name: Option<&str>) -> Option<(u32, u32)> {
    let ask = |what: &str| {
        let answer = Command::new("id").arg(what).args(name).stderr(std::process::Stdio::null()).output().ok()?;
        String::from_utf8_lossy(&answer.stdout).trim().parse().ok()
    };
    Some((ask("-u")?, ask("-g")?))
}
