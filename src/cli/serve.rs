//! `leasehold serve`: the engine.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};
use leasehold_module::Link;
use reqwest::Url;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::Failed;
use super::database::{Database, DatabaseArgs};
use super::links;
use crate::api::{Api, Open, dialled, serve as serve_http};
use crate::console;
use crate::engine::accounts::Bootstrap;
use crate::engine::clock::Clock;
use crate::engine::fault::told;
use crate::engine::firings::{TriggerText, discover};
use crate::engine::heartbeat::heartbeat;
use crate::engine::registry::Registry;
use crate::engine::settings::Settings;
use crate::engine::zoneinfo;
use crate::engine::{Engine, mint};
use crate::log::{AppendOnly, Log};
use crate::telling::Process;

/// How long what is under way may take to finish after the engine was asked to stop.
const GOODBYE: Duration = Duration::from_secs(20);
/// How long the database may take to end its connections.
const LAST_WORDS: Duration = Duration::from_secs(5);
/// How often PostgreSQL of ours is started again before the engine gives up.
const RESTARTS: u32 = 5;

#[derive(Debug, Clone, Args)]
pub struct ServeArgs {
    #[command(flatten)]
    pub database: DatabaseArgs,
    /// Address of the HTTP interface.
    #[arg(long, env = "LEASEHOLD_BIND", default_value = "127.0.0.1:7878")]
    pub bind: SocketAddr,
    /// Bearer token of the first admin; a changed one replaces the old. Unset: one is made where there is no admin, and
    /// shown once.
    #[arg(long, env = "LEASEHOLD_ADMIN_TOKEN", hide_env_values = true)]
    pub admin_token: Option<String>,
    /// How games are reached: `scope=url#tokenfile`, separated by commas; `dials-in` in the place of the address for a link
    /// that dials this engine.
    #[arg(long, env = "LEASEHOLD_LINKS", default_value = "")]
    pub links: String,
    /// Milliseconds that a module waits for one answer of a sidecar, 50 to 3,590,000. Unset: each module's own patience.
    #[arg(long, env = "LEASEHOLD_LINK_TIMEOUT_MS", value_parser = clap::value_parser!(u64).range(50..=3_590_000))]
    pub link_timeout_ms: Option<u64>,
    /// Go on from here although a link has seen more than this log holds: that is put on record, once. Without it such an
    /// engine is read-only.
    #[arg(long, env = "LEASEHOLD_ACCEPT_REWIND")]
    pub accept_rewind: bool,
    /// Where the time comes from. `controlled` is for tests: a row that they move.
    #[arg(long, value_enum, default_value = "database")]
    pub clock: ClockKind,
    /// A dead man's switch outside: posted to while every loop of the engine is at its work. Unset: nothing is posted.
    #[arg(long, env = "LEASEHOLD_HEARTBEAT_URL", hide_env_values = true, value_parser = heartbeat_url)]
    pub heartbeat_url: Option<Url>,
    /// Seconds between two posts, 1 to 3,600.
    #[arg(long, env = "LEASEHOLD_HEARTBEAT_SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub heartbeat_seconds: u64,
    /// Directory of compiled zone files, as systems keep them, whose rules hold in place of the built-in ones. Read once, at
    /// the start.
    #[arg(long, env = "LEASEHOLD_ZONEINFO")]
    pub zoneinfo: Option<PathBuf>,
    #[command(flatten)]
    pub settings: Settings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ClockKind {
    Database,
    Controlled,
}

/// An address that can be posted to.
fn heartbeat_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    if ["http", "https"].contains(&url.scheme()) { Ok(url) } else { Err("it must begin with http:// or https://".into()) }
}

/// Runs the engine until it is asked to stop.
pub async fn serve(args: ServeArgs) -> Result<ExitCode, Failed> {
    let links = links::parse(&args.links)?;
    let database = Database::of_engine(&args.database).await?;
    let running = Running::start(&args, &database, links, Open::Closed).await?;
    if let Bootstrap::Minted(token) = &running.bootstrap {
        println!("Admin token, shown once: {token}");
    }
    let read_only = running.engine.is_read_only();
    println!("{}", json!({ "ready": true, "address": running.address.to_string(), "readOnly": read_only }));
    running.until_stopped(database).await
}

/// An engine that runs, with its HTTP interface.
pub struct Running {
    pub engine: Engine,
    pub address: SocketAddr,
    pub bootstrap: Bootstrap,
    words: StopWords,
}

impl Running {
    /// Starts everything; returns when requests are answered.
    pub async fn start(args: &ServeArgs, database: &Database, links: Vec<Link>, open: Open) -> Result<Self, Failed> {
        let listener = listen(args.bind).await?;
        let address = listener.local_addr()?;
        let log = database.log().await?;
        let clock = clock(args.clock, &log).await?;
        let zones = args.zoneinfo.as_deref().map(zoneinfo::load).transpose()?.unwrap_or_default();
        tracing::info!(release = zones.release(), "zone data");
        let opened = dialled::open(links).await?;
        let links = opened.links.clone();
        let registry = Registry::new(leasehold_installed::installed(&links, args.link_timeout_ms))?.with_zones(zones);
        for refused in registry.refused() {
            for fault in &refused.faults {
                tracing::error!(module = refused.id, %fault, "a module is left out");
            }
        }
        let scopes = links.iter().map(|link| link.scope.clone());
        let process = Process::install();
        let engine = Engine::reaching(log, registry, args.settings.clone(), clock, scopes);
        let doors = opened.carry(&engine.tasks, &engine.stop);
        open_log(&engine).await?;
        let games = leasehold_installed::linked(&links, args.link_timeout_ms);
        let declarations = engine.recall_declarations(games).await?;
        engine.take_trigger_files(trigger_files(&args.database.data_dir));
        engine.rewinds.accept(args.accept_rewind);
        engine.look_for_rewinds().await?;
        let bootstrap = if engine.is_read_only() {
            Bootstrap::Unchanged
        } else {
            engine.bootstrap_admin(args.admin_token.as_deref()).await?
        };
        engine.record_zone_data().await?;
        engine.run_beside(Some(declarations)).await?;
        engine.tell_start();
        if let Some(url) = args.heartbeat_url.clone() {
            engine.tasks.spawn(heartbeat(engine.clone(), url, Duration::from_secs(args.heartbeat_seconds)));
        }
        engine.tasks.spawn(process.keep_tidy(engine.stop.clone()));
        let api = Api::new(engine.clone(), open);
        let (page, stop) = (console::router(engine.clone()), engine.stop.clone());
        engine.tasks.spawn(async move {
            if let Err(error) = serve_http(api, page, doors, listener, stop).await {
                tracing::error!(%error, "the HTTP interface ended");
            }
        });
        // Until now a signal ends the process at once: nothing is under way.
        let words = StopWords::listened_for()?;
        tracing::info!(%address, engine = engine.recorded_by(), "the engine runs");
        Ok(Self { engine, address, bootstrap, words })
    }

    /// Waits for the word to stop, or for the end of a PostgreSQL of ours that cannot be started again; then stops.
    pub async fn until_stopped(mut self, mut database: Database) -> Result<ExitCode, Failed> {
        let ended = tokio::select! {
            () = self.words.next() => Ok(()),
            died = keep(&mut database) => Err(died),
        };
        let Self { engine, words, .. } = &mut self;
        tokio::select! {
            stopped = stop(engine, database) => stopped?,
            () = words.next() => {
                return Err("asked twice to stop: whoever starts next takes up what was under way".into());
            }
        }
        ended.map(|()| ExitCode::SUCCESS)
    }

    /// Lets what is under way finish, and closes everything.
    pub async fn stop(self, database: Database) -> Result<(), Failed> {
        stop(&self.engine, database).await
    }
}

async fn stop(engine: &Engine, database: Database) -> Result<(), Failed> {
    engine.stop.cancel();
    engine.tasks.close();
    if tokio::time::timeout(GOODBYE, engine.tasks.wait()).await.is_err() {
        tracing::warn!("some work was still under way; whoever starts next takes it up");
    }
    if tokio::time::timeout(LAST_WORDS, engine.log.pool().close()).await.is_err() {
        tracing::warn!("the database does not let go of its connections; they are left behind");
    }
    database.close().await
}

/// Those of the data directory, and those of the user's home beside them; one that cannot be read is told, and does nothing.
fn trigger_files(workspace: &Path) -> Vec<TriggerText> {
    let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".leasehold"));
    let (texts, faults) = discover(workspace, home.as_deref());
    for fault in faults {
        tracing::error!(%fault, "a trigger file does nothing");
    }
    texts
}

async fn listen(bind: SocketAddr) -> Result<TcpListener, Failed> {
    let listener = TcpListener::bind(bind).await;
    listener.map_err(|error| format!("{bind} cannot be listened on: {error}; choose another address with --bind").into())
}

async fn clock(kind: ClockKind, log: &Log) -> Result<Clock, Failed> {
    Ok(match kind {
        ClockKind::Database => Clock::of_database(log.pool().clone()),
        ClockKind::Controlled => Clock::controlled(log.pool().clone()).await?,
    })
}

async fn open_log(engine: &Engine) -> Result<(), Failed> {
    let at = engine.clock.now().await?;
    let act = crate::engine::Act::following("engine", at, "open the log");
    engine.log.open_genesis(mint::id(), act.append(&engine.recorded_by()).metadata).await?;
    match engine.log.append_only().await? {
        AppendOnly::ByPermission => {}
        AppendOnly::ByTriggerAlone => {
            tracing::warn!("this role may change the log's table: it is append-only by its triggers alone");
        }
    }
    Ok(())
}

/// The words with which this process is asked to stop. From when they are listened for, none ends it by itself.
struct StopWords {
    interrupt: Signal,
    terminate: Signal,
}

impl StopWords {
    fn listened_for() -> Result<Self, Failed> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
        tracing::info!("asked to stop");
    }
}

/// Starts our PostgreSQL again when it dies; returns when that does not work any more. Pending for a database of the
/// user's own.
async fn keep(database: &mut Database) -> Failed {
    let Some(embedded) = &mut database.embedded else { return std::future::pending().await };
    for _ in 0..RESTARTS {
        let died = embedded.watch().await;
        tracing::error!(%died, "PostgreSQL is started again");
        if let Err(error) = embedded.restart().await {
            return format!("{died}; and it could not be started again: {}", told(&error)).into();
        }
    }
    let died = embedded.watch().await;
    format!("{died}; it has died {RESTARTS} times already").into()
}
