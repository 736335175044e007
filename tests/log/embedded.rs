//! The engine's own PostgreSQL: started, stopped, owned by one, and back after every kind of death.

use std::io::{BufRead, BufReader};
use std::ops::Not;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::str::FromStr;

use leasehold::embedded::{Account, Binaries, Embedded, EmbeddedError};
use leasehold::log::{Append, AppendOnly, Log, LogOptions, prepare};
use sqlx::postgres::PgConnectOptions;
use tempfile::TempDir;

use crate::bench::{lamp, light};

/// Set for a copy of this test binary that plays an engine: it starts the database of this directory, says so, and waits.
const ENGINE: &str = "LEASEHOLD_TEST_PLAYS_ENGINE";

async fn log(database: &Embedded) -> Log {
    prepare(&PgConnectOptions::from_str(database.owner_url()).unwrap()).await.unwrap();
    Log::connect(PgConnectOptions::from_str(database.app_url()).unwrap(), LogOptions::default()).await.unwrap()
}

/// A data directory that the server's user can reach.
pub fn data_dir() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
    dir
}

pub fn postmaster(database: &Embedded) -> String {
    let file = std::fs::read_to_string(database.cluster().join("postmaster.pid")).unwrap();
    file.lines().next().unwrap().to_owned()
}

fn kill(signal: &str, pid: &str) {
    assert!(Command::new("kill").args([signal, pid]).status().unwrap().success());
}

#[tokio::test]
async fn what_was_committed_is_there_after_a_stop_and_a_start() {
    let dir = data_dir();
    let database = Embedded::start(dir.path()).await.unwrap();
    let first = log(&database).await;
    first.append(light(1, "a", 0)).await.unwrap();
    assert_eq!(first.append_only().await.unwrap(), AppendOnly::ByPermission);
    database.stop().await.unwrap();

    let database = Embedded::start(dir.path()).await.unwrap();
    let second = log(&database).await;
    assert_eq!(second.load(&lamp("a")).await.unwrap().len(), 1);
    let settings: (String, String, String, String) = sqlx::query_as(
        "select current_setting('server_encoding'), datcollate, current_setting('data_checksums'), current_setting('fsync')
         from pg_database where datname = current_database()",
    )
    .fetch_one(second.pool())
    .await
    .unwrap();
    assert_eq!(settings, ("UTF8".into(), "C".into(), "on".into(), "on".into()));
    database.stop().await.unwrap();
    assert!(second.append(light(2, "a", 1)).await.is_err());
}

#[tokio::test]
async fn a_second_engine_on_the_directory_is_refused_in_words() {
    let dir = data_dir();
    let database = Embedded::start(dir.path()).await.unwrap();
    let refused = Embedded::start(dir.path()).await.err().unwrap();
    assert!(matches!(refused, EmbeddedError::InUse { .. }));
    let words = refused.to_string();
    assert!(words.contains(&format!("process {}", std::process::id())), "{words}");
    database.stop().await.unwrap();
    Embedded::start(dir.path()).await.unwrap().stop().await.unwrap();
}

#[tokio::test]
async fn a_wrong_password_opens_nothing() {
    let dir = data_dir();
    let database = Embedded::start(dir.path()).await.unwrap();
    let guess = PgConnectOptions::from_str(database.app_url()).unwrap().password("guess");
    assert!(Log::connect(guess, LogOptions::default()).await.is_err());
    let secret = std::fs::metadata(dir.path().join("postgres.secret")).unwrap();
    assert_eq!(secret.permissions().mode() & 0o777, 0o600);
    database.stop().await.unwrap();
}

#[tokio::test]
async fn a_killed_server_is_noticed_and_comes_back_at_the_same_address() {
    let dir = data_dir();
    let mut database = Embedded::start(dir.path()).await.unwrap();
    let log = log(&database).await;
    log.append(light(1, "a", 0)).await.unwrap();
    let address = database.app_url().to_owned();
    kill("-KILL", &postmaster(&database));
    let died = database.watch().await;
    assert!(died.to_string().contains("ended by itself"), "{died}");
    database.restart().await.unwrap();
    assert_eq!(database.app_url(), address);
    // The first use of a connection that the dead server left open may fail; the pool makes another.
    let again = Log::connect(PgConnectOptions::from_str(&address).unwrap(), LogOptions::default()).await.unwrap();
    assert_eq!(again.append(light(2, "a", 1)).await.unwrap().first, 1);
    assert_eq!(again.verify(None, |_| {}).await.unwrap().events, 2);
    database.stop().await.unwrap();
}

/// A copy of this test binary, at the point where its database runs and holds one event.
fn engine(dir: &Path) -> (Child, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "embedded::plays_engine", "--nocapture"]).env(ENGINE, dir).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let pid = lines.find_map(|line| line.unwrap().split_once("postmaster ").map(|(_, pid)| pid.to_owned()));
    (child, pid.expect("the engine says which process its database is"))
}

#[tokio::test]
async fn plays_engine() {
    let Some(dir) = std::env::var_os(ENGINE) else { return };
    let database = Embedded::start(Path::new(&dir)).await.unwrap();
    let log = log(&database).await;
    let sequence = log.load(&lamp("a")).await.unwrap().len() as u64;
    log.append(Append { ..light(u128::from(sequence), "a", sequence) }).await.unwrap();
    println!("postmaster {}", postmaster(&database));
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn a_killed_engine_takes_its_server_along_and_the_next_one_finds_everything() {
    let dir = data_dir();
    for round in 1..=2 {
        let (mut child, _) = engine(dir.path());
        child.kill().unwrap();
        child.wait().unwrap();
        // The server leaves in order, without anybody asking it to: its file goes last.
        while std::fs::exists(dir.path().join("postgres/postmaster.pid")).unwrap() {
            tokio::task::yield_now().await;
        }
        let database = Embedded::start(dir.path()).await.unwrap();
        assert_eq!(log(&database).await.load(&lamp("a")).await.unwrap().len(), round);
        database.stop().await.unwrap();
    }
}

#[tokio::test]
async fn after_the_death_of_both_the_next_engine_finds_everything() {
    let dir = data_dir();
    let (mut child, postmaster) = engine(dir.path());
    kill("-KILL", &postmaster);
    child.kill().unwrap();
    child.wait().unwrap();
    let database = Embedded::start(dir.path()).await.unwrap();
    assert_eq!(log(&database).await.load(&lamp("a")).await.unwrap().len(), 1);
    database.stop().await.unwrap();
}

#[tokio::test]
async fn a_server_that_outlived_its_engine_is_stopped_and_a_new_one_started() {
    let dir = data_dir();
    let database = Embedded::start(dir.path()).await.unwrap();
    log(&database).await.append(light(1, "a", 0)).await.unwrap();
    let cluster = database.cluster().to_owned();
    database.stop().await.unwrap();
    let binaries = Binaries::find(Some(&cluster)).unwrap();
    let account = Account::choose().unwrap().of_cluster(&cluster).unwrap();
    let mut survivor = account.command(&binaries.program("postgres"));
    let port = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port().to_string();
    survivor.arg("-D").arg(&cluster).args(["-h", "127.0.0.1", "-k", "", "-p", &port]);
    survivor.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut survivor = survivor.spawn().unwrap();
    while std::fs::read_to_string(cluster.join("postmaster.pid")).is_ok_and(|file| file.contains("ready")).not() {
        assert_eq!(survivor.try_wait().unwrap(), None);
        tokio::task::yield_now().await;
    }

    let database = Embedded::start(dir.path()).await.unwrap();
    assert!(survivor.wait().unwrap().success(), "it was stopped in order");
    assert_eq!(log(&database).await.load(&lamp("a")).await.unwrap().len(), 1);
    database.stop().await.unwrap();
}

#[tokio::test]
async fn a_directory_that_the_servers_user_cannot_reach_is_served_from_elsewhere() {
    let closed = tempfile::tempdir().unwrap();
    std::fs::set_permissions(closed.path(), PermissionsExt::from_mode(0o700)).unwrap();
    let data_dir = closed.path().join("home/data");
    let database = Embedded::start(&data_dir).await.unwrap();
    let log = log(&database).await;
    log.append(light(1, "a", 0)).await.unwrap();
    let cluster = database.cluster().to_owned();
    database.stop().await.unwrap();
    let as_root = std::fs::metadata(closed.path()).map(|dir| dir.uid() == 0).unwrap();
    assert_eq!(as_root, cluster.starts_with("/var/lib/leasehold"), "{}", cluster.display());
    let database = Embedded::start(&data_dir).await.unwrap();
    assert_eq!(database.cluster(), cluster);
    database.stop().await.unwrap();
    if as_root {
        std::fs::remove_dir_all(cluster.parent().unwrap()).unwrap();
    }
}

#[tokio::test]
async fn a_half_made_cluster_is_made_again() {
    let dir = data_dir();
    std::fs::create_dir(dir.path().join("postgres.new")).unwrap();
    std::fs::write(dir.path().join("postgres.new/PG_VERSION"), "15\n").unwrap();
    let database = Embedded::start(dir.path()).await.unwrap();
    assert!(!dir.path().join("postgres.new").exists());
    database.stop().await.unwrap();
}
