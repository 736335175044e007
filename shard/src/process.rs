//! The process: its arguments, its tasks, its signals, its end.

use crate::{
    chance,
    clock::GameClock,
    console,
    core::{Ask, Core, StartFailure, Started, start},
    link::Dialler,
};
use clap::Parser;
use std::{io, net::SocketAddr, path::PathBuf, sync::Arc, thread, time::Duration};
use tokio::{
    net::TcpListener,
    runtime::Handle,
    signal::unix::{SignalKind, signal},
    sync::mpsc,
    time::MissedTickBehavior,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// How many asks may wait for the game before whoever asks has to wait.
const WAITING: usize = 1024;
/// How long open connections get to take what was said to them before the process ends.
const GOODBYE: Duration = Duration::from_secs(2);

/// The reference game server.
#[derive(Debug, Parser)]
#[command(name = "leasehold-shard", version)]
pub struct Arguments {
    /// Where the link listens for the game.
    #[arg(long)]
    link: SocketAddr,
    /// Where the staff console listens; port 0 takes a free one.
    #[arg(long, default_value = "127.0.0.1:0")]
    console: SocketAddr,
    /// The directory of save, journal and audit trail. One game at a time.
    #[arg(long)]
    data: PathBuf,
    /// The seed of the world and of its chance.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Which of the operator's servers this is.
    #[arg(long, default_value = "main")]
    scope: String,
    /// Consents to unattended changes of the world, of leases and of runs.
    #[arg(long)]
    enable_events: bool,
    /// Consents to admin commands.
    #[arg(long)]
    enable_admin_write: bool,
    /// Milliseconds between two ticks of the world, 1 to 60000.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=60_000))]
    tick_ms: u64,
    /// A value that does nothing from the start, by its key, as after a release that reads it once: `PlayerCaps.SkillCap`,
    /// `object:*.MaxCount`, `season:HarvestFair.Status`. May be given several times.
    #[arg(long)]
    inert: Vec<String>,
    /// Seconds by which the game's clock is ahead of the machine's; behind it where negative.
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    clock_skew_sec: i32,
    /// A configuration file: KEY=VALUE on each line.
    #[arg(long)]
    config: Option<PathBuf>,
}

/// Why the game did not start or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Start(#[from] StartFailure),
    #[error("the console must listen on a loopback address, not {0}")]
    NotLoopback(SocketAddr),
    #[error("cannot listen on {at} for the console: {source}")]
    Listen { at: SocketAddr, source: io::Error },
    #[error("the game stopped: {0}")]
    Io(#[from] io::Error),
}

/// Sends the program's own log to standard error; `LEASEHOLD_LOG` filters it.
pub fn log_to_stderr() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("LEASEHOLD_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(false).init();
}

/// Runs the game until it is told to stop. Prints one JSON line on standard output once the console listens.
pub async fn run(arguments: Arguments) -> Result<(), Failure> {
    if !arguments.console.ip().is_loopback() {
        return Err(Failure::NotLoopback(arguments.console));
    }
    let clock = Arc::new(GameClock::start(arguments.clock_skew_sec));
    let boot_id = chance::boot_id();
    let started = Started {
        directory: arguments.data,
        boot_id: boot_id.clone(),
        seed: arguments.seed,
        config_file: arguments.config,
        enable_events: arguments.enable_events,
        enable_admin_write: arguments.enable_admin_write,
        inert: arguments.inert,
    };
    let (core, _lock) = start(started, Arc::clone(&clock), Handle::current())?;
    let game = core.server_name().to_owned();
    let listen = TcpListener::bind(arguments.console).await;
    let console = listen.map_err(|source| Failure::Listen { at: arguments.console, source })?;
    println!("{}", serde_json::json!({"ready": true, "console": console.local_addr()?.to_string(), "bootId": boot_id}));

    let (asks, asked) = mpsc::channel(WAITING);
    let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
    let dialler =
        Dialler { link: arguments.link, boot_id, game, scope: arguments.scope, clock, asks: asks.clone(), stop: stop.clone() };
    tasks.spawn(dialler.dial_for_ever());
    tasks.spawn(console::serve(console, asks.clone(), stop.clone(), tasks.clone()));
    tasks.spawn(tick(Duration::from_millis(arguments.tick_ms), asks.clone(), stop.clone()));
    stop_on_signal(asks)?;

    let ended = play(core, asked).await;
    stop.cancel();
    tasks.close();
    drop(tokio::time::timeout(GOODBYE, tasks.wait()).await);
    ended
}

/// Runs the game on a thread of its own, because it waits for disks.
async fn play(core: Core, asked: mpsc::Receiver<Ask>) -> Result<(), Failure> {
    let world = thread::Builder::new().name("world".to_owned()).spawn(move || core.run(asked))?;
    let ended = tokio::task::spawn_blocking(move || world.join()).await.map_err(io::Error::other)?;
    ended.map_err(|_| io::Error::other("the game's thread panicked"))?.map_err(Failure::from)
}

async fn tick(every: Duration, asks: mpsc::Sender<Ask>, stop: CancellationToken) {
    let mut interval = tokio::time::interval(every);
    interval.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        tokio::select! { () = stop.cancelled() => return, _ = interval.tick() => () }
        // A tick that finds the queue full is left out.
        drop(asks.try_send(Ask::Tick));
    }
}

fn stop_on_signal(asks: mpsc::Sender<Ask>) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::spawn(async move {
        tokio::select! { _ = terminate.recv() => (), _ = interrupt.recv() => () }
        drop(asks.send(Ask::Stop).await);
    });
    Ok(())
}
