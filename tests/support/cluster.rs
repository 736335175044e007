//! One cluster for a whole run of tests, whatever process each runs in.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::Duration;

use leasehold::embedded::{Account, Binaries};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection};

/// A cluster in which databases may be made freely.
#[derive(Debug, Clone)]
pub struct Cluster {
    /// Owner's URL, with a maintenance database.
    url: String,
    /// Ours: copying files is the fastest way to a fresh database where nothing is written through.
    pub ours: bool,
}

/// The cluster of this run; started if no other test process has done so.
pub async fn cluster() -> Cluster {
    if let Ok(url) = env::var("LEASEHOLD_TEST_DATABASE_URL") {
        return Cluster { url, ours: false };
    }
    let account = Account::choose().expect("somebody to run PostgreSQL as");
    let named = env::var_os("LEASEHOLD_TEST_CLUSTER_DIR").map(PathBuf::from);
    let dir = named.unwrap_or_else(|| PathBuf::from(format!("/tmp/leasehold-tests-{}", account.uid())));
    fs::create_dir_all(&dir).unwrap();
    let lock = File::create(dir.join("lock")).unwrap();
    lock.lock().unwrap();
    fs::write(dir.join("used"), "").unwrap();
    let url = match running(&dir).await {
        Some(url) => url,
        None => start(&dir, account).await,
    };
    Cluster { url, ours: true }
}

impl Cluster {
    /// One that a single test has started, by its owner's URL.
    pub fn of_one_test(url: &str) -> Self {
        Self { url: url.to_owned(), ours: true }
    }

    /// The URL of a database for the owner, who is a superuser on a cluster of ours.
    pub fn owner_url(&self, database: &str) -> String {
        let (before, parameters) = match self.url.split_once('?') {
            Some((before, after)) => (before, format!("?{after}")),
            None => (self.url.as_str(), String::new()),
        };
        let authority = before.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
        format!("{authority}/{database}{parameters}")
    }

    /// The URL of a database for the engine's role.
    pub fn app_url(&self, database: &str) -> String {
        let options = PgConnectOptions::from_str(&self.url).unwrap();
        format!("postgres://leasehold_app:leasehold_app@{}:{}/{database}", options.get_host(), options.get_port())
    }

    /// The URL as it was given, for databases to be made from.
    pub fn maintenance_url(&self) -> &str {
        &self.url
    }
}

async fn running(dir: &Path) -> Option<String> {
    let url = fs::read_to_string(dir.join("url")).ok()?;
    answers(&url).await.then_some(url)
}

async fn answers(url: &str) -> bool {
    match PgConnectOptions::from_str(url).unwrap().connect().await {
        Ok(connection) => connection.close().await.is_ok(),
        Err(_) => false,
    }
}

#[allow(clippy::zombie_processes, reason = "the server outlives this process: the next test finds it")]
async fn start(dir: &Path, account: Account) -> String {
    let data = dir.join("data");
    if data.exists() {
        fs::remove_dir_all(&data).unwrap();
    }
    fs::create_dir(&data).unwrap();
    account.give(&data).unwrap();
    let binaries = Binaries::find(None).expect("PostgreSQL's programs");
    let mut initdb = account.command(&binaries.program("initdb"));
    initdb.args(["--no-sync", "--encoding=UTF8", "--locale=C", "--auth=trust", "--username=leasehold_owner", "-D"]);
    let made = initdb.arg(&data).output().unwrap();
    assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));

    let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let log = OpenOptions::new().create(true).append(true).open(dir.join("postgres.log")).unwrap();
    let mut postgres = account.command(&binaries.program("postgres"));
    postgres.arg("-D").arg(&data).args(["-h", "127.0.0.1", "-k", "", "-p", &port.to_string(), "-F", "-N", "400"]);
    postgres.args(["-c", "synchronous_commit=off", "-c", "full_page_writes=off"]);
    postgres.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log).process_group(0);
    let mut server = postgres.spawn().unwrap();

    let url = format!("postgres://leasehold_owner@127.0.0.1:{port}/postgres");
    while !answers(&url).await {
        assert!(server.try_wait().unwrap().is_none(), "the test cluster ended; see its log in {}", dir.display());
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    watch(dir, server.id(), &url);
    fs::write(dir.join("url"), &url).unwrap();
    url
}

/// Leaves a small process that stops the cluster once nobody has asked for it, or is connected, for five minutes.
#[allow(clippy::zombie_processes, reason = "the watch outlives this process, as the server does")]
fn watch(dir: &Path, server: u32, url: &str) {
    const WATCH: &str = r#"
        idle() { [ $(( $(date +%s) - $(stat -c %Y "$1/used") )) -gt 300 ]; }
        while sleep 15; do
            kill -0 "$2" 2>/dev/null || exit 0
            idle "$1" || continue
            exec 9<"$1/lock"; flock 9
            sessions=$(psql "$3" -Atc "select count(*) from pg_stat_activity where backend_type = 'client backend'")
            if idle "$1" && [ "$sessions" = 1 ]; then
                kill -QUIT "$2"
                while kill -0 "$2" 2>/dev/null; do sleep 0.1; done
                rm -rf "$1/data" "$1/url"
                exit 0
            fi
            flock -u 9
        done"#;
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", WATCH, "sh"]).arg(dir).arg(server.to_string()).arg(url).current_dir("/").process_group(0);
    shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
}
