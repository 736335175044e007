//! A fresh database for one test: a copy of one that was migrated once.

use std::str::FromStr;

use leasehold::log::{self, Log, LogOptions};
use sha2::{Digest, Sha256};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, Executor, PgConnection};

use super::cluster::{Cluster, cluster};

/// Advisory lock, in the maintenance database, of whoever makes the template.
const TEMPLATE_LOCK: i64 = 4_207_849_484;

/// A migrated database with the roles in place, and nothing in the log. Dropped with this value.
#[derive(Debug)]
pub struct TestDatabase {
    /// The role that owns the schema; a superuser on a cluster of ours.
    pub owner_url: String,
    /// The role that the engine works with.
    pub app_url: String,
    name: String,
    cluster: Cluster,
}

/// A database of this test's own.
pub async fn fresh_database() -> TestDatabase {
    fresh_database_on(cluster().await).await
}

/// The same on that cluster.
pub async fn fresh_database_on(cluster: Cluster) -> TestDatabase {
    let mut connection = maintenance(&cluster).await;
    connection.execute(format!("select pg_advisory_lock({TEMPLATE_LOCK})").as_str()).await.unwrap();
    let template = template(&cluster, &mut connection).await;
    connection.execute("create sequence if not exists leasehold_test_databases").await.unwrap();
    connection.execute(format!("select pg_advisory_unlock({TEMPLATE_LOCK})").as_str()).await.unwrap();
    let number: i64 = sqlx::query_scalar("select nextval('leasehold_test_databases')").fetch_one(&mut connection).await.unwrap();
    let name = format!("leasehold_test_{number}");
    let strategy = if cluster.ours { " strategy file_copy" } else { "" };
    connection.execute(format!("create database {name} template {template}{strategy}").as_str()).await.unwrap();
    connection.close().await.unwrap();
    TestDatabase { owner_url: cluster.owner_url(&name), app_url: cluster.app_url(&name), name, cluster }
}

/// The name of the migrated database, made under another name first so that a half-made one is never copied.
async fn template(cluster: &Cluster, connection: &mut PgConnection) -> String {
    let mut digest = Sha256::new();
    for migration in log::MIGRATIONS.iter() {
        digest.update(&*migration.checksum);
    }
    let name = format!("leasehold_template_{}", hex::encode(&digest.finalize()[..6]));
    let known = sqlx::query_scalar("select exists(select from pg_database where datname = $1)");
    if known.bind(&name).fetch_one(&mut *connection).await.unwrap() {
        return name;
    }
    let fresh = format!("{name}_new");
    connection.execute(format!("drop database if exists {fresh} with (force)").as_str()).await.unwrap();
    connection.execute(format!("create database {fresh}").as_str()).await.unwrap();
    let owner = PgConnectOptions::from_str(&cluster.owner_url(&fresh)).unwrap();
    log::prepare(&owner).await.expect("the migrations apply");
    let login = "alter role leasehold_app login password 'leasehold_app'";
    connection.execute(login).await.unwrap();
    connection.execute(format!("alter database {fresh} rename to {name}").as_str()).await.unwrap();
    name
}

async fn maintenance(cluster: &Cluster) -> PgConnection {
    PgConnectOptions::from_str(cluster.maintenance_url()).unwrap().connect().await.unwrap()
}

impl TestDatabase {
    /// The log, as the engine's role.
    pub async fn log(&self) -> Log {
        self.log_with(LogOptions { connections: 8, ..LogOptions::default() }).await
    }

    pub async fn log_with(&self, options: LogOptions) -> Log {
        Log::connect(self.app(), options).await.unwrap()
    }

    /// How the engine's role connects.
    pub fn app(&self) -> PgConnectOptions {
        PgConnectOptions::from_str(&self.app_url).unwrap()
    }

    /// A connection of the owner's.
    pub async fn owner(&self) -> PgConnection {
        PgConnectOptions::from_str(&self.owner_url).unwrap().connect().await.unwrap()
    }
}

impl Drop for TestDatabase {
    /// On a thread of its own: a test's runtime cannot be waited for from within.
    fn drop(&mut self) {
        let (cluster, name) = (self.cluster.clone(), self.name.clone());
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let mut connection = maintenance(&cluster).await;
                connection.execute(format!("drop database if exists {name} with (force)").as_str()).await
            })
        });
        if let Ok(Err(error)) = dropped.join() {
            eprintln!("database {} stays behind: {error}", self.name);
        }
    }
}
