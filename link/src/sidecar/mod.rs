//! The sidecar: a listener for the game, a listener for the engine, and the exchange between them.

mod chance;
mod exchange;
mod feed;
mod game;
mod hello;
mod http;
mod order;
mod outbound;
mod polling;
mod scopes;
mod seen;
mod token;

use clap::Parser;
use feed::{FeedStore, Retention};
use http::{Parts, Tokens};
use leasehold_link::disk::with_ending;
use outbound::Outbound;
use polling::Sessions;
use reqwest::Url;
use scopes::Scopes;
use seen::SeenFile;
use std::{io, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};
use token::Token;
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};
use tokio_util::sync::CancellationToken;

/// How long callers get once the sidecar stops.
const GOODBYE: Duration = Duration::from_secs(2);

/// Carries commands from an engine (HTTP) to game servers (which dial in, each by one connection), and answers back.
#[derive(Debug, Parser)]
#[command(name = "leasehold-link", version)]
pub struct Arguments {
    /// Where the engine posts; port 0 takes a free one.
    #[arg(long, env = "LEASEHOLD_LINK_HTTP", default_value = "127.0.0.1:7880")]
    http: SocketAddr,
    /// Where the game dials in; port 0 takes a free one.
    #[arg(long, env = "LEASEHOLD_LINK_GAME", default_value = "127.0.0.1:7881")]
    game: SocketAddr,
    /// The file that holds the bearer token of the engine; white space around it does not count.
    #[arg(long, env = "LEASEHOLD_LINK_TOKEN_FILE")]
    token_file: PathBuf,
    /// The file that holds the bearer token of games that come by HTTP. Unset: they have no door.
    #[arg(long, env = "LEASEHOLD_LINK_GAME_TOKEN_FILE")]
    game_token_file: Option<PathBuf>,
    /// Without a poll for that many milliseconds a game that comes by HTTP is gone.
    #[arg(long, env = "LEASEHOLD_LINK_GAME_SILENCE_MS", default_value_t = 15_000, value_parser = clap::value_parser!(u64).range(100..=600_000))]
    game_silence_ms: u64,
    /// Where it writes down which place of which log commands came from; one file for each sidecar. Unset: the token file's
    /// name with `.seen` behind it.
    #[arg(long, env = "LEASEHOLD_LINK_SEEN_FILE")]
    seen_file: Option<PathBuf>,
    /// Where it keeps what the game reports by itself; one file for each sidecar. Unset: the token file's name with `.feed`
    /// behind it.
    #[arg(long, env = "LEASEHOLD_LINK_FEED_FILE")]
    feed_file: Option<PathBuf>,
    /// An engine to dial, for a host that opens no port: `https://events.example.org`. May be given more than once, for each
    /// engine that serves these games. It is presented the token of the token file.
    #[arg(long, env = "LEASEHOLD_LINK_ENGINE", value_delimiter = ',')]
    engine: Vec<Url>,
    /// How many reports of each scope are kept at most.
    #[arg(long, env = "LEASEHOLD_LINK_FEED_KEEP", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    feed_keep: u64,
    /// For how many days they are kept at most.
    #[arg(long, env = "LEASEHOLD_LINK_FEED_DAYS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3_650))]
    feed_days: u64,
    /// How many megabytes of them are kept of each scope at most.
    #[arg(long, env = "LEASEHOLD_LINK_FEED_MB", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=65_536))]
    feed_mb: u64,
    /// How long an answer of the game is waited for, in milliseconds, 1 to 600000.
    #[arg(long, env = "LEASEHOLD_LINK_REPLY_TIMEOUT_MS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=600_000))]
    reply_timeout_ms: u64,
}

impl Arguments {
    fn seen_file(&self) -> PathBuf {
        self.seen_file.clone().unwrap_or_else(|| seen::beside(&self.token_file))
    }

    fn feed_file(&self) -> PathBuf {
        self.feed_file.clone().unwrap_or_else(|| with_ending(&self.token_file, ".feed"))
    }

    const fn retention(&self) -> Retention {
        Retention {
            reports: self.feed_keep,
            age: Duration::from_secs(self.feed_days * 24 * 3600),
            bytes: self.feed_mb * 1024 * 1024,
        }
    }
}

/// Why the sidecar did not start or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Token(#[from] token::TokenFailure),
    #[error(transparent)]
    Seen(#[from] seen::SeenFailure),
    #[error(transparent)]
    Feed(#[from] feed::FeedFailure),
    #[error("cannot listen on {at} for {side}: {source}")]
    Listen { at: SocketAddr, side: &'static str, source: io::Error },
    #[error("the sidecar's input or output failed: {0}")]
    Io(#[from] io::Error),
}

/// Sends the program's own log to standard error; `LEASEHOLD_LOG` filters it.
pub fn log_to_stderr() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("LEASEHOLD_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(false).init();
}

/// Serves until SIGTERM or SIGINT. Prints one JSON line on standard output once both sides listen.
pub async fn run(arguments: Arguments) -> Result<(), Failure> {
    let game = arguments.game_token_file.as_deref().map(Token::read).transpose()?;
    let tokens = Tokens { engine: Token::read(&arguments.token_file)?, game };
    let seen = Arc::new(SeenFile::open(arguments.seen_file())?);
    let feed = FeedStore::open(&arguments.feed_file(), &chance::nonce(), arguments.retention())?;
    let http = listen(arguments.http, "the engine").await?;
    let game = listen(arguments.game, "the game").await?;
    let known = seen.scopes().into_iter().chain(feed.scopes());
    let scopes = Arc::new(Scopes::new(chance::nonce(), Duration::from_millis(arguments.reply_timeout_ms), known));
    let stop = CancellationToken::new();

    announce(http.local_addr()?, game.local_addr()?);
    let games = tokio::spawn(game::accept(game, Arc::clone(&scopes), feed.clone(), stop.clone()));
    tokio::spawn(trim_hourly(feed.clone()));
    stop_on_signal(stop.clone())?;

    let sessions = Arc::new(Sessions::new(Duration::from_millis(arguments.game_silence_ms)));
    tokio::spawn(watch(Arc::clone(&sessions)));
    let router = http::router(Parts { scopes, seen, feed, sessions, stop: stop.clone() }, tokens);
    for engine in arguments.engine {
        let token = Token::text(&arguments.token_file)?;
        let outbound = Outbound { engine, token, router: router.clone(), stop: stop.clone() };
        tokio::spawn(outbound.dial_for_ever());
    }
    let drain = stop.clone();
    let serve = axum::serve(http, router).with_graceful_shutdown(async move { drain.cancelled().await });
    tokio::select! {
        served = serve.into_future() => served?,
        () = patience_after(stop.clone()) => tracing::warn!("a caller did not finish; stopping all the same"),
    }
    stop.cancel();
    games.await.map_err(io::Error::other)?;
    Ok(())
}

/// Ends the sessions of games that have fallen silent.
async fn watch(sessions: Arc<Sessions>) {
    sessions.watch().await;
}

/// Drops what has become too old, also while nothing comes.
async fn trim_hourly(feed: FeedStore) {
    let mut hour = tokio::time::interval(Duration::from_secs(3600));
    loop {
        hour.tick().await;
        feed.trim().await;
    }
}

/// How long callers get to take their answers once the sidecar stops.
async fn patience_after(stop: CancellationToken) {
    stop.cancelled().await;
    tokio::time::sleep(GOODBYE).await;
}

async fn listen(at: SocketAddr, side: &'static str) -> Result<TcpListener, Failure> {
    TcpListener::bind(at).await.map_err(|source| Failure::Listen { at, side, source })
}

/// The one line of standard output: whoever started the sidecar reads its ports there.
fn announce(http: SocketAddr, game: SocketAddr) {
    println!("{}", serde_json::json!({"ready": true, "http": http.to_string(), "game": game.to_string()}));
    tracing::info!(%http, %game, "listening");
}

fn stop_on_signal(stop: CancellationToken) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::spawn(async move {
        tokio::select! { _ = terminate.recv() => (), _ = interrupt.recv() => () }
        tracing::info!("stopping: a signal asked for it");
        stop.cancel();
    });
    Ok(())
}
