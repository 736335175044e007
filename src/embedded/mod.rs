//! The engine's own PostgreSQL, for whoever has not set `DATABASE_URL`.
//!
//! One cluster under the data directory: made on first use, started and stopped with the engine, owned by one engine at a
//! time. It survives the death of the engine, of the server and of both: the server leaves in order when its engine dies,
//! a server that stayed is stopped before a new one starts, and what was committed is there afterwards.

mod account;
mod binaries;
mod error;
mod initialise;
mod leftover;
mod place;
mod server;

use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use sqlx::{ConnectOptions, Connection, Executor, PgConnection};

pub use account::Account;
pub use binaries::Binaries;
pub use error::EmbeddedError;
pub use server::dies_with_its_parent;

use crate::log::guard::APP;
use place::{Lock, Place};
use server::Server;

/// The role that owns the cluster and migrates.
const OWNER: &str = "leasehold_owner";
const DATABASE: &str = "leasehold";
/// Starts that may fail, for a port that somebody else took meanwhile or memory that a killed server's sessions still hold.
const STARTS: u32 = 5;
const BETWEEN_STARTS: Duration = Duration::from_millis(400);

/// A running PostgreSQL of the engine's own.
///
/// Call [`Embedded::stop`] to stop it in order. When this is dropped, or the engine dies, the server is stopped by the
/// kernel's signal once the process ends.
pub struct Embedded {
    server: Server,
    place: Place,
    binaries: Binaries,
    port: u16,
    secret: String,
    owner_url: String,
    app_url: String,
    _lock: Lock,
}

/// The server ended under a living engine.
#[derive(Debug, thiserror::Error)]
#[error("the engine's PostgreSQL ended by itself ({status}); its log {log} ends: {tail}")]
pub struct ServerDied {
    pub status: std::process::ExitStatus,
    pub log: PathBuf,
    pub tail: String,
}

impl Embedded {
    /// Whether a database of ours was ever made for this data directory.
    pub fn is_at(data_dir: &Path) -> bool {
        data_dir.join(place::SECRET).exists()
    }

    /// Starts the PostgreSQL of `data_dir`, which is made if it is not there, and returns once it takes connections.
    ///
    /// [`EmbeddedError::InUse`] while another engine owns the directory.
    pub async fn start(data_dir: &Path) -> Result<Self, EmbeddedError> {
        std::fs::create_dir_all(data_dir).map_err(error::io("cannot be made", data_dir))?;
        let data_dir = std::fs::canonicalize(data_dir).map_err(error::io("cannot be looked at", data_dir))?;
        let lock = Lock::take(&data_dir)?;
        let secret = place::secret(&data_dir)?;
        let place = Place::of(&data_dir)?;
        if place.moved {
            tracing::warn!(cluster = %place.cluster.display(), data_dir = %data_dir.display(), user = place.account.uid(),
                "the user that runs PostgreSQL cannot reach the data directory; the database lies elsewhere");
        }
        let binaries = Binaries::find(Some(&place.cluster))?;
        initialise::initialise(&place, &binaries, &password(&secret, OWNER))?;
        leftover::clear(&place, &binaries).await?;
        let (server, port) = start(&place, &binaries, &secret, None).await?;
        make_ready(&owner(&secret, port), &password(&secret, APP)).await?;
        let url = |role| format!("postgres://{role}:{}@127.0.0.1:{port}/{DATABASE}", password(&secret, role));
        Ok(Self { server, place, binaries, port, owner_url: url(OWNER), app_url: url(APP), secret, _lock: lock })
    }

    /// Connects as the role that owns the database, for migrations.
    pub fn owner_url(&self) -> &str {
        &self.owner_url
    }

    /// Connects as the role that the engine works with.
    pub fn app_url(&self) -> &str {
        &self.app_url
    }

    /// Where the cluster lies. Elsewhere than the data directory if the server's user cannot reach that.
    pub fn cluster(&self) -> &Path {
        &self.place.cluster
    }

    /// Returns when the server has ended without being asked to.
    pub async fn watch(&mut self) -> ServerDied {
        let status = self.server.end().await;
        let log = self.place.log.clone();
        ServerDied { status, tail: server::tail(&log), log }
    }

    /// Starts the server again after it died, on the same port, so that addresses given out stay right.
    pub async fn restart(&mut self) -> Result<(), EmbeddedError> {
        leftover::clear(&self.place, &self.binaries).await?;
        (self.server, self.port) = start(&self.place, &self.binaries, &self.secret, Some(self.port)).await?;
        Ok(())
    }

    /// Ends every session, writes everything to disk and returns when the server is gone.
    pub async fn stop(mut self) -> Result<(), EmbeddedError> {
        self.server.stop(&self.place, &self.binaries)?;
        self.server.end().await;
        // Made again at the next start; whether it can go is nobody's concern.
        let _ = std::fs::remove_dir_all(&self.place.sockets);
        Ok(())
    }
}

impl Drop for Embedded {
    /// Without a [`Embedded::stop`] before it, a last attempt to leave no server behind.
    fn drop(&mut self) {
        if let Err(error) = self.server.stop(&self.place, &self.binaries) {
            tracing::warn!(%error, "the engine's PostgreSQL could not be stopped");
        }
    }
}

/// Starts the server, on `port` or on a free one, as often as a start may fail for reasons that pass.
async fn start(place: &Place, binaries: &Binaries, secret: &str, port: Option<u16>) -> Result<(Server, u16), EmbeddedError> {
    let mut left = STARTS;
    loop {
        let port = port.map_or_else(server::free_port, Ok)?;
        left -= 1;
        match Server::start(place, binaries, port, &owner(secret, port)).await {
            Err(EmbeddedError::NotStarted { tail, .. }) if left > 0 => {
                tracing::warn!(%tail, "PostgreSQL did not start; trying again");
                tokio::time::sleep(BETWEEN_STARTS).await;
            }
            other => return Ok((other?, port)),
        }
    }
}

/// The role's password: made from the cluster's one secret, so that it need be kept nowhere.
fn password(secret: &str, role: &str) -> String {
    hex::encode(Sha256::digest(format!("{role}\n{secret}")))
}

fn owner(secret: &str, port: u16) -> PgConnectOptions {
    let options = PgConnectOptions::new_without_pgpass().host("127.0.0.1").port(port).ssl_mode(PgSslMode::Disable);
    options.username(OWNER).password(&password(secret, OWNER)).application_name("leasehold set-up")
}

/// Makes the database and the engine's role, with the password that goes with the secret.
async fn make_ready(owner: &PgConnectOptions, app_password: &str) -> Result<(), EmbeddedError> {
    let quiet = owner.clone().database("postgres").disable_statement_logging();
    let mut connection: PgConnection = quiet.connect().await?;
    let known = sqlx::query_scalar("select exists(select from pg_database where datname = $1)");
    if !known.bind(DATABASE).fetch_one(&mut connection).await? {
        connection.execute(format!("create database {DATABASE}").as_str()).await?;
    }
    let known = sqlx::query_scalar("select exists(select from pg_roles where rolname = $1)");
    if !known.bind(APP).fetch_one(&mut connection).await? {
        connection.execute(format!("create role {APP}").as_str()).await?;
    }
    // The password is hexadecimal: there is nothing in it to quote. It is a secret, and this connection tells no statement.
    connection.execute(format!("alter role {APP} login password '{app_password}'").as_str()).await?;
    connection.close().await?;
    Ok(())
}
