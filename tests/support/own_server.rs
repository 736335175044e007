//! A PostgreSQL of one test's own, which may be stopped at once and started again where it was.
//!
//! Unlike the shared one it commits before it answers: what a stop at once may lose there, it must not lose here.

use std::fs::{self, OpenOptions, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::time::Duration;

use leasehold::embedded::{Account, Binaries};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tempfile::TempDir;

use super::cluster::Cluster;

/// A server, running but for the moment between its stop and its next start.
#[derive(Debug)]
pub struct OwnServer {
    directory: TempDir,
    account: Account,
    port: u16,
    server: Child,
}

impl OwnServer {
    pub async fn start() -> Self {
        let account = Account::choose().expect("somebody to run PostgreSQL as");
        let directory = tempfile::tempdir().unwrap();
        fs::set_permissions(directory.path(), Permissions::from_mode(0o755)).unwrap();
        let data = directory.path().join("data");
        fs::create_dir(&data).unwrap();
        account.give(&data).unwrap();
        let mut initdb = account.command(&binaries().program("initdb"));
        initdb.args(["--no-sync", "--encoding=UTF8", "--locale=C", "--auth=trust", "--username=leasehold_owner", "-D"]);
        let made = initdb.arg(&data).output().unwrap();
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let server = spawn(&account, &directory, port);
        let mut started = Self { directory, account, port, server };
        started.answers().await;
        started
    }

    pub fn cluster(&self) -> Cluster {
        Cluster::of_one_test(&self.url())
    }

    /// An immediate shutdown, sessions cut where they are, and a new start that recovers what was committed.
    pub async fn stop_at_once_and_start(&mut self) {
        self.stop_at_once();
        self.server = spawn(&self.account, &self.directory, self.port);
        self.answers().await;
    }

    fn stop_at_once(&mut self) {
        let pid = fs::read_to_string(self.directory.path().join("data/postmaster.pid")).unwrap_or_default();
        if let Some(pid) = pid.lines().next() {
            assert!(Command::new("kill").args(["-QUIT", pid]).status().unwrap().success());
        }
        self.server.wait().unwrap();
    }

    async fn answers(&mut self) {
        let options = PgConnectOptions::from_str(&self.url()).unwrap();
        loop {
            if let Ok(connection) = options.connect().await {
                connection.close().await.unwrap();
                return;
            }
            assert!(self.server.try_wait().unwrap().is_none(), "PostgreSQL ended: {}", self.words());
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }

    fn url(&self) -> String {
        format!("postgres://leasehold_owner@127.0.0.1:{}/postgres", self.port)
    }

    fn words(&self) -> String {
        fs::read_to_string(self.directory.path().join("postgres.log")).unwrap_or_default()
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        self.stop_at_once();
    }
}

fn binaries() -> Binaries {
    Binaries::find(None).expect("PostgreSQL's programs")
}

fn spawn(account: &Account, directory: &TempDir, port: u16) -> Child {
    let log = OpenOptions::new().create(true).append(true).open(directory.path().join("postgres.log")).unwrap();
    let mut postgres = account.command(&binaries().program("postgres"));
    postgres.arg("-D").arg(directory.path().join("data"));
    // Of a process that dies and not of a machine: what was handed to the system is still there.
    postgres.args(["-h", "127.0.0.1", "-k", "", "-p", &port.to_string(), "-F", "-N", "200"]);
    postgres.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log).process_group(0);
    postgres.spawn().unwrap()
}
