//! What benchmarks of an engine stand on: a server of their own, durable as an operator's, a migrated database, and a log that is
//! open.

#![allow(dead_code, reason = "each benchmark uses the part that it needs")]

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use leasehold::embedded::Embedded;
use leasehold::engine::Engine;
use leasehold::engine::clock::Clock;
use leasehold::engine::registry::Registry;
use leasehold::engine::settings::Settings;
use leasehold::log::{self, Log, LogOptions};
use leasehold_module::Module;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, PgConnection};
use uuid::Uuid;

/// Between two looks at how far something has got.
const LOOK: Duration = Duration::from_millis(10);

pub struct Ground {
    /// As the tables' owner.
    pub owner: PgConnectOptions,
    /// As an engine connects.
    pub app: PgConnectOptions,
    pub log: Log,
    server: Embedded,
    _folder: tempfile::TempDir,
}

impl Ground {
    pub async fn laid() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Started by root, the server runs as somebody else.
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
        let server = Embedded::start(folder.path()).await.unwrap();
        let owner = PgConnectOptions::from_str(server.owner_url()).unwrap();
        log::prepare(&owner).await.unwrap();
        let app = PgConnectOptions::from_str(server.app_url()).unwrap();
        let log = Log::connect(app.clone(), LogOptions::default()).await.unwrap();
        log.open_genesis(Uuid::from_u128(1), BTreeMap::new()).await.unwrap();
        Self { owner, app, log, server, _folder: folder }
    }

    /// A connection of the owner.
    pub async fn owner(&self) -> PgConnection {
        self.owner.connect().await.unwrap()
    }

    /// An engine by the database's clock, whose loops do not run yet.
    pub fn engine(&self, modules: Vec<Arc<dyn Module>>) -> Engine {
        let clock = Clock::of_database(self.log.pool().clone());
        Engine::new(self.log.clone(), Registry::new(modules).unwrap(), Settings::default(), clock)
    }

    /// Returns when whoever follows the log has read all of it.
    pub async fn read_by_all(&self) {
        // The reconciler's place is the game's word, not the log's.
        let behind = "select exists (select from public.cursors
                      where consumer <> 'reconciler' and position < (select max(position) from public.events))";
        while sqlx::query_scalar::<_, bool>(behind).fetch_one(self.log.pool()).await.unwrap() {
            tokio::time::sleep(LOOK).await;
        }
    }

    pub async fn over(self) {
        self.server.stop().await.unwrap();
    }
}
