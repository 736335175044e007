//! The server's process: started, waited for, stopped.

use std::fs::{self, OpenOptions};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tokio::sync::{oneshot, watch};

use super::binaries::Binaries;
use super::error::{EmbeddedError, io};
use super::initialise::run;
use super::place::Place;

/// A server that was started here. It dies with the engine; dropping this only loses sight of it.
#[derive(Debug)]
pub(super) struct Server {
    ended: watch::Receiver<Option<ExitStatus>>,
}

/// How long a server may take to leave when asked to, in seconds. It writes out what it has in memory first.
const PATIENCE: &str = "60";
/// Between two attempts to connect to a server that is starting.
const BETWEEN: Duration = Duration::from_millis(40);

impl Server {
    /// Starts the server on a loopback port and returns once it takes connections, or says why it does not.
    pub async fn start(place: &Place, binaries: &Binaries, port: u16, owner: &PgConnectOptions) -> Result<Self, EmbeddedError> {
        let mut server =
            Self { ended: spawn(command(place, binaries, port)?).await.map_err(io("cannot be run", &place.cluster))? };
        loop {
            match owner.clone().database("postgres").connect().await {
                Ok(connection) => {
                    connection.close().await?;
                    return Ok(server);
                }
                // Wrong password and the like: a server of ours is up, and waiting will not help.
                Err(sqlx::Error::Database(refusal)) if refusal.code().is_none_or(|code| code != "57P03") => {
                    server.stop(place, binaries)?;
                    return Err(sqlx::Error::Database(refusal).into());
                }
                Err(_) => {}
            }
            if tokio::time::timeout(BETWEEN, server.end()).await.is_ok() {
                return Err(EmbeddedError::NotStarted { log: place.log.clone(), tail: tail(&place.log) });
            }
        }
    }

    /// Returns when the process has ended.
    pub async fn end(&mut self) -> ExitStatus {
        match self.ended.wait_for(Option::is_some).await {
            Ok(status) => status.unwrap_or_default(),
            Err(_) => ExitStatus::default(),
        }
    }

    /// Ends every session and the server with them. A server that is gone already is no error.
    pub fn stop(&mut self, place: &Place, binaries: &Binaries) -> Result<(), EmbeddedError> {
        if self.ended.borrow().is_some() {
            return Ok(());
        }
        stop(place, binaries)
    }
}

/// Stops the server of this cluster in order: sessions end, what is in memory is written.
pub(super) fn stop(place: &Place, binaries: &Binaries) -> Result<(), EmbeddedError> {
    let mut pg_ctl = place.account.command(&binaries.program("pg_ctl"));
    pg_ctl.args(["stop", "--mode=fast", "--wait", "--silent", "--timeout", PATIENCE, "-D"]).arg(&place.cluster);
    let stopped = run(&mut pg_ctl);
    // Whoever stops the engine may have told its server, too, which was then quicker.
    if place.cluster.join("postmaster.pid").exists() { stopped } else { Ok(()) }
}

/// A port that nobody listens on at this moment.
pub(super) fn free_port() -> Result<u16, EmbeddedError> {
    let bound = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    bound.map(|address| address.port()).map_err(io("no free port could be had", Path::new("127.0.0.1")))
}

fn command(place: &Place, binaries: &Binaries, port: u16) -> Result<Command, EmbeddedError> {
    let log = OpenOptions::new().create(true).append(true).open(&place.log).map_err(io("cannot be opened", &place.log))?;
    let mut postgres = place.account.command(&binaries.program("postgres"));
    postgres.arg("-D").arg(&place.cluster).arg("-p").arg(port.to_string()).arg("-k").arg(&place.sockets);
    postgres.args(["-h", "127.0.0.1", "-c", "unix_socket_permissions=0700", "-c", "logging_collector=off"]);
    let errors = log.try_clone().map_err(io("cannot be opened", &place.log))?;
    postgres.stdin(Stdio::null()).stdout(log).stderr(errors).process_group(0);
    Ok(postgres)
}

/// Starts the command on a thread of its own, which lives until the process ends: the signal that a parent's death sends
/// is sent when the *thread* that started the process ends, so none of the runtime's threads will do.
async fn spawn(mut command: Command) -> std::io::Result<watch::Receiver<Option<ExitStatus>>> {
    dies_with_its_parent(&mut command);
    let (started, heard) = oneshot::channel();
    let (ended, watched) = watch::channel(None);
    std::thread::Builder::new().name("postgres".to_owned()).spawn(move || match command.spawn() {
        Ok(mut child) => {
            let _ = started.send(Ok(()));
            let status = child.wait().unwrap_or_default();
            let _ = ended.send(Some(status));
        }
        Err(error) => {
            let _ = started.send(Err(error));
        }
    })?;
    heard.await.map_err(std::io::Error::other)??;
    Ok(watched)
}

/// Asks the kernel to interrupt the child when the engine dies, by whatever cause: a server stops in order by that.
/// What ends the child is the end of the *thread* that spawned it: spawn from one that lasts as long as the process.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "pre_exec is unsafe to call: only async-signal-safe calls are made between fork and exec")]
pub fn dies_with_its_parent(command: &mut Command) {
    let engine = std::process::id();
    // SAFETY: prctl and getppid are plain system calls; nothing is allocated and no lock is taken in the child.
    unsafe {
        command.pre_exec(move || {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGINT) != 0 {
                return Err(std::io::Error::last_os_error());
            }
            // The engine may have died before the request was heard.
            if u32::try_from(libc::getppid()) == Ok(engine) { Ok(()) } else { Err(std::io::ErrorKind::BrokenPipe.into()) }
        });
    }
}

#[cfg(not(target_os = "linux"))]
pub fn dies_with_its_parent(_: &mut Command) {}

/// The last lines of the server's log, in one.
pub(super) fn tail(log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().rev().take(5).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join(" | ")
}
