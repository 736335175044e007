//! The server, the logs and the plain table.

use std::os::unix::fs::PermissionsExt;
use std::str::FromStr;

use leasehold::embedded::Embedded;
use leasehold::log::{self, Append, Log, LogOptions, StreamId, StreamWrite};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Executor, PgPool};
use tempfile::TempDir;

use crate::lamp;
use crate::ways::next_command;

/// The log's columns without its guards: what any program would insert into.
const PLAIN: &str = "
create table if not exists public.plain (
    aggregate_type text collate \"C\" not null,
    aggregate_id text collate \"C\" not null,
    sequence bigint not null,
    event_type text not null,
    event_version text not null,
    payload json not null,
    metadata json not null,
    primary key (aggregate_type, aggregate_id, sequence)
);
grant insert on public.plain to leasehold_app";

/// Events of one append while a log is filled.
const AT_ONCE: u64 = 5_000;

pub struct Bed {
    server: Embedded,
    _dir: TempDir,
}

impl Bed {
    pub async fn made() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
        let server = Embedded::start(dir.path()).await.unwrap();
        let owner = PgConnectOptions::from_str(server.owner_url()).unwrap();
        log::prepare(&owner).await.unwrap();
        Self { server, _dir: dir }
    }

    pub async fn end(self) {
        self.server.stop().await.unwrap();
    }

    fn app(&self, database: &str) -> PgConnectOptions {
        let app = PgConnectOptions::from_str(self.server.app_url()).unwrap();
        if database == "leasehold" { app } else { app.database(database) }
    }

    /// Another engine's handle on the log of this database.
    pub async fn log(&self, database: &str) -> Log {
        Log::connect(self.app(database), LogOptions { connections: 4, ..LogOptions::default() }).await.unwrap()
    }

    /// A log of its own that holds `count` events.
    pub async fn filled(&self, database: &str, count: u64) -> Log {
        let owner = PgConnectOptions::from_str(self.server.owner_url()).unwrap();
        owner.connect().await.unwrap().execute(format!("create database {database}").as_str()).await.unwrap();
        log::prepare(&owner.database(database)).await.unwrap();
        let log = self.log(database).await;
        for batch in 0..count / AT_ONCE {
            let streams = (0..AT_ONCE / lamp::EVENTS).map(|nth| StreamWrite {
                stream: StreamId::new("lamp", format!("old-{batch}-{nth}")),
                expected: 0,
                events: lamp::events(),
            });
            log.append(Append { writes: streams.collect(), ..Append::of(next_command()) }).await.unwrap();
        }
        let owner = PgConnectOptions::from_str(self.server.owner_url()).unwrap().database(database);
        owner.connect().await.unwrap().execute("vacuum analyze public.events").await.unwrap();
        log
    }

    /// Connections for as many plain writers as there are, to an empty plain table.
    pub async fn plain(&self) -> PgPool {
        let owner = PgConnectOptions::from_str(self.server.owner_url()).unwrap();
        owner.connect().await.unwrap().execute(PLAIN).await.unwrap();
        PgPoolOptions::new().min_connections(64).max_connections(64).connect_with(self.app("leasehold")).await.unwrap()
    }
}
