//! The bench that every integration test stands on: a throw-away PostgreSQL and a fresh database for each test.
//!
//! The first test process that needs the cluster starts it, every other finds it: it lies in `LEASEHOLD_TEST_CLUSTER_DIR`
//! (by default a short folder under `/tmp`), writes nothing through to disk, and leaves by itself when no test has asked
//! for it for five minutes. To stop it sooner: `kill -QUIT $(head -1 $LEASEHOLD_TEST_CLUSTER_DIR/data/postmaster.pid)`.
//! With `LEASEHOLD_TEST_DATABASE_URL` (an owner's, on a cluster of yours) nothing is started at all.

#![allow(dead_code, unused_imports, reason = "each test binary uses the part that it needs")]
#![allow(clippy::unwrap_used, reason = "a bench that does not stand up ends the test")]

mod cluster;
mod copy;
mod database;
pub mod keys;
mod own_server;
mod wire;

pub use cluster::{Cluster, cluster};
pub use copy::{contents, pg_dump, pg_restore};
pub use database::{TestDatabase, fresh_database, fresh_database_on};
pub use own_server::OwnServer;
pub use wire::{Fault, Wire};
