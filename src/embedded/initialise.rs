//! Making the cluster. It comes into being beside its place and is moved there whole, so that an engine killed half-way
//! leaves nothing that looks like one.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::process::Command;

use super::OWNER;
use super::binaries::Binaries;
use super::error::{EmbeddedError, io};
use super::place::{Place, folder};

/// Makes the cluster if it is not there: UTF-8, the C locale, checksums on its pages, a password for everybody.
pub(super) fn initialise(place: &Place, binaries: &Binaries, password: &str) -> Result<(), EmbeddedError> {
    if place.cluster.join("PG_VERSION").exists() {
        return Ok(());
    }
    let fresh = place.cluster.with_file_name("postgres.new");
    if fresh.exists() {
        fs::remove_dir_all(&fresh).map_err(io("a half-made cluster cannot be removed", &fresh))?;
    }
    folder(&fresh, place.account)?;

    let password_file = place.sockets.join("password");
    let _ = fs::remove_file(&password_file);
    let mut open = OpenOptions::new();
    let file = open.write(true).create_new(true).mode(0o600).open(&password_file);
    let written = file.and_then(|mut file| writeln!(file, "{password}"));
    written.map_err(io("cannot be written", &password_file))?;
    place.account.give(&password_file)?;

    let mut initdb = place.account.command(&binaries.program("initdb"));
    initdb.args(["--encoding=UTF8", "--locale=C", "--data-checksums", "--auth=scram-sha-256"]);
    initdb.arg(format!("--username={OWNER}")).arg(format!("--pwfile={}", password_file.display()));
    initdb.arg("-D").arg(&fresh);
    let made = run(&mut initdb);
    fs::remove_file(&password_file).map_err(io("cannot be removed", &password_file))?;
    made?;

    fs::rename(&fresh, &place.cluster).map_err(io("cannot be put in its place", &fresh))?;
    let parent = place.cluster.parent().unwrap_or(&place.cluster);
    File::open(parent).and_then(|dir| dir.sync_all()).map_err(io("cannot be written through to disk", parent))
}

/// Runs a program to its end; what it said becomes the error.
pub(super) fn run(command: &mut Command) -> Result<(), EmbeddedError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|source| io("cannot be run", program.as_ref())(source))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(if output.stderr.is_empty() { &output.stdout } else { &output.stderr });
    Err(EmbeddedError::Program { program, said: said.trim().to_owned() })
}
