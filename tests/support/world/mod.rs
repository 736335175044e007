//! A whole world to test in: a fresh database with a clock that tests move, a sidecar, a game, and engines, each a process
//! of its own that can be killed, stopped and started again.
//!
//! Nothing here sleeps in order to be right: every wait is for a condition, with a deadline beyond any doubt.

pub mod api;
mod books;
mod clock;
mod engine;
mod link;
pub mod plans;
mod process;
mod programs;
mod restore;
mod shard;
mod wait;

use std::str::FromStr;
use std::thread;
use std::time::Duration;

use leasehold::log::{Log, LogOptions};
use sqlx::postgres::PgConnectOptions;
use tempfile::TempDir;
use tokio::sync::OnceCell;

use crate::support::{OwnServer, TestDatabase, fresh_database, fresh_database_on};
pub use api::{TOKEN, borrowed, step};
pub use clock::{BEGINNING, Clock};
pub use engine::Engine;
use engine::Ground;
pub use link::{GAME_TOKEN, Link};
pub use shard::{Row, Shard};

/// Pause between two looks at a condition.
const GLANCE: Duration = Duration::from_millis(20);

/// Milliseconds that the sidecar of most worlds waits for the game: short, so that a lost answer costs little, and long
/// beside what an answer takes.
const PATIENCE_MS: u64 = 1_000;

/// Everything, running. A test ends with [`World::finish`].
pub struct World {
    pub engine: Engine,
    /// Engines beside the first, on the same database.
    pub others: Vec<Engine>,
    pub shard: Shard,
    pub link: Link,
    pub clock: Clock,
    log: OnceCell<Log>,
    ground: Ground,
    database: TestDatabase,
    /// Where PostgreSQL itself is one of those that may fail.
    server: Option<OwnServer>,
    _directory: TempDir,
    finished: bool,
}

impl World {
    /// One engine, with every action of the plans switched on.
    pub async fn new() -> Self {
        Self::with(None, PATIENCE_MS).await
    }

    /// With a sidecar that waits as long as a real one: for answers that are held back on purpose.
    pub async fn patient() -> Self {
        Self::with(None, 10_000).await
    }

    /// With an engine that will die at that point.
    pub async fn doomed(crash_at: &str) -> Self {
        Self::with(Some(crash_at), PATIENCE_MS).await
    }

    /// As [`World::new`], beginning at that instant.
    pub async fn from(beginning: &str) -> Self {
        Self::switched(Self::unswitched(beginning, None, PATIENCE_MS).await, None).await
    }

    async fn with(crash_at: Option<&str>, patience_ms: u64) -> Self {
        Self::switched(Self::unswitched(BEGINNING, crash_at, patience_ms).await, crash_at).await
    }

    async fn switched(world: Self, crash_at: Option<&str>) -> Self {
        world.engine.enable_all().await;
        if crash_at.is_none() {
            world.wait_until("the engine is ready", async || world.engine.api.is_ready().await).await;
        }
        world
    }

    /// As operators find it: nothing that changes a world is switched on.
    pub async fn untouched() -> Self {
        Self::unswitched(BEGINNING, None, PATIENCE_MS).await
    }

    /// As [`World::from`], on a PostgreSQL of its own, which may be stopped.
    pub async fn on_its_own_server(beginning: &str) -> Self {
        let server = OwnServer::start().await;
        let database = fresh_database_on(server.cluster()).await;
        let mut world = Self::on(database, beginning, None, PATIENCE_MS).await;
        world.server = Some(server);
        Self::switched(world, None).await
    }

    async fn unswitched(beginning: &str, crash_at: Option<&str>, patience_ms: u64) -> Self {
        Self::on(fresh_database().await, beginning, crash_at, patience_ms).await
    }

    async fn on(database: TestDatabase, beginning: &str, crash_at: Option<&str>, patience_ms: u64) -> Self {
        let clock = Clock::start(database.owner().await, beginning).await;
        let directory = tempfile::tempdir().unwrap();
        let link = Link::start(directory.path(), patience_ms).await;
        let shard = Shard::start(directory.path(), &link).await;
        let ground = Ground {
            directory: directory.path().to_owned(),
            app_url: database.app_url.clone(),
            owner_url: database.owner_url.clone(),
            links: link.as_setting(),
            settings: Vec::new(),
        };
        let engine = Engine::start(ground.clone(), "engine", crash_at).await;
        let (log, others, finished) = (OnceCell::new(), Vec::new(), false);
        let server = None;
        Self { engine, others, shard, link, clock, log, ground, database, server, _directory: directory, finished }
    }

    /// Starts one more engine on the same database.
    pub async fn another_engine(&mut self) {
        self.another_engine_with(Vec::new()).await;
    }

    /// The same with settings of its own.
    pub async fn another_engine_with(&mut self, settings: Vec<(&'static str, &'static str)>) {
        let name = format!("engine-{}", self.others.len() + 2);
        let ground = Ground { settings, ..self.ground.clone() };
        self.others.push(Engine::start(ground, &name, None).await);
    }

    /// Lays a trigger file where every engine finds it at its next start.
    pub fn trigger_file(&self, name: &str, body: &serde_json::Value) {
        let folder = self.ground.directory.join("data");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("trigger-{name}.json")), body.to_string()).unwrap();
    }

    /// Takes that file away: whoever starts from now on has none of that name.
    pub fn no_trigger_file(&self, name: &str) {
        std::fs::remove_file(self.ground.directory.join("data").join(format!("trigger-{name}.json"))).unwrap();
    }

    /// The log, read past the engines.
    pub async fn log(&self) -> &Log {
        let options = LogOptions { connections: 8, ..LogOptions::default() };
        let connect = async || Log::connect(PgConnectOptions::from_str(&self.ground.app_url).unwrap(), options).await.unwrap();
        self.log.get_or_init(connect).await
    }

    /// Ends every session that the engines have with the database.
    pub async fn terminate_sessions(&self) {
        let mut owner = self.database.owner().await;
        let end = "select pg_terminate_backend(pid) from pg_stat_activity
                   where datname = current_database() and usename = 'leasehold_app' and application_name = 'leasehold'
                     and pid <> pg_backend_pid()";
        sqlx::query(end).execute(&mut owner).await.unwrap();
    }

    /// Stops PostgreSQL at once, in the middle of whatever it does, and starts it again.
    pub async fn stop_postgresql_at_once(&mut self) {
        self.server.as_mut().expect("a server of this world's own").stop_at_once_and_start().await;
        self.clock = Clock::going_on(self.database.owner().await);
        self.log = OnceCell::new();
    }

    /// Ends the sessions whose transaction has waited for its owner for a second, as the server does by itself after longer.
    pub async fn end_idle_transactions(&self) {
        let end = "select pg_terminate_backend(pid) from pg_stat_activity
                   where datname = current_database() and usename = 'leasehold_app' and state = 'idle in transaction'
                     and state_change < clock_timestamp() - interval '1 second'";
        sqlx::query(end).execute(&mut self.database.owner().await).await.unwrap();
    }

    /// A transaction of somebody else's that has appended and neither commits nor gives up.
    pub async fn hold_the_log(&self) -> sqlx::Transaction<'static, sqlx::Postgres> {
        let pool = sqlx::PgPool::connect(&self.database.owner_url).await.unwrap();
        let mut held = pool.begin().await.unwrap();
        let append =
            "insert into public.events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
                      values ('demo', 'held', 1, 'lamp_lit', '1', '{}', '{}')";
        sqlx::query(append).execute(&mut *held).await.unwrap();
        held
    }

    /// What somebody writes past the engines, with psql and the engine's own rights.
    pub fn psql(&self, script: &str) {
        let mut command = std::process::Command::new("psql");
        command.args(["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--command", script, &self.ground.app_url]);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Lets a process that does nothing lead the scheduler, so that nobody reads what happens to definitions.
    pub async fn put_the_scheduler_to_sleep(&self) {
        let elsewhere = "with away as (
                update public.leadership
                set holder = gen_random_uuid(), epoch = epoch + 1,
                    expires_at = clock_timestamp() + interval '4 minutes', term = interval '4 minutes'
                where consumer = 'scheduler' returning epoch
            )
            update public.cursors set epoch = away.epoch from away where consumer = 'scheduler'";
        let mut owner = self.database.owner().await;
        assert_eq!(sqlx::query(elsewhere).execute(&mut owner).await.unwrap().rows_affected(), 1);
    }

    /// Lets that process's term end, and waits until an engine has read everything since.
    pub async fn wake_the_scheduler(&self) {
        let over = "update public.leadership set expires_at = clock_timestamp() where consumer = 'scheduler'";
        sqlx::query(over).execute(&mut self.database.owner().await).await.unwrap();
        self.the_scheduler_has_read_everything().await;
    }

    /// Waits until the scheduler has read what the log holds now.
    pub async fn the_scheduler_has_read_everything(&self) {
        let log = self.log().await;
        let head = log.head().await.unwrap().expect("a log that has begun").position;
        let read = async || log.cursor("scheduler").await.unwrap().is_some_and(|cursor| cursor.position >= head);
        self.wait_until("the scheduler has read everything", read).await;
    }

    /// Lets time pass: for the game first, then for the engines.
    pub async fn advance(&self, seconds: u32) {
        if self.shard.is_running() {
            self.shard.console(&format!("clock +{seconds}")).await;
        }
        self.clock.advance(seconds).await;
    }

    /// The end of a test: the books are clean, every engine stops when asked, and none has panicked.
    pub async fn finish(self) {
        self.assert_clean_books().await;
        self.close().await;
    }

    /// The same for a world whose log has lost what it knew of some dispatches.
    pub async fn finish_rewound(self) {
        self.assert_clean_books_but_for_lost_dispatches().await;
        self.close().await;
    }

    /// The same for a world whose wires have doubled what was sent once.
    pub async fn finish_but_for_what_was_doubled(self) {
        self.assert_clean_books_but_for_lost_dispatches().await;
        self.close().await;
    }

    async fn close(mut self) {
        for engine in std::iter::once(&mut self.engine).chain(&mut self.others) {
            if engine.is_running() {
                engine.stop().await;
            }
        }
        for engine in std::iter::once(&self.engine).chain(&self.others) {
            let words = engine.all_words();
            assert!(!words.contains("panicked at"), "an engine panicked\n{words}");
        }
        self.finished = true;
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let right = self.finished || thread::panicking();
        assert!(right, "a test must end with World::finish, which checks the books");
    }
}
