//! What the wire costs: a keyed command from an engine over the sidecar to the game and back, beside a bare HTTP echo on the
//! same machine in the same run; how many of them there are in a second from sixteen askers; and how many reports of a game
//! are stored, acknowledged and read on in a second. Prints each, and the ratio of the first to the echo.
//!
//! `cargo bench -p leasehold-shard --bench wire -- COMMANDS REPORTS` sets how many there are (default 2,000 and 50,000).

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run ends there")]
#![allow(clippy::cast_precision_loss, reason = "figures for people")]

#[path = "../../tests/support/built.rs"]
mod built;

use axum::{Router, body::Bytes, routing::post};
use leasehold_link::wire::feed::Feed;
use serde_json::{Value, json};
use std::{
    io::{BufRead, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

const TOKEN: &str = "a-token-of-a-benchmark";
/// Askers at once.
const ASKERS: usize = 16;

/// A program that runs until this is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn start(command: &mut Command) -> (Running, Value) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (Running(child), serde_json::from_str(&line).unwrap())
}

/// The sidecar of this build, beside the game.
fn sidecar() -> PathBuf {
    let profile = Path::new(env!("CARGO_BIN_EXE_leasehold-shard")).parent().unwrap().to_owned();
    built::build(&profile);
    profile.join("leasehold-link")
}

struct Sidecar {
    _process: Running,
    http: String,
    game: String,
}

fn start_sidecar(directory: &Path) -> Sidecar {
    std::fs::create_dir_all(directory).unwrap();
    std::fs::write(directory.join("token"), TOKEN).unwrap();
    let mut command = Command::new(sidecar());
    command.args(["--http", "127.0.0.1:0", "--game", "127.0.0.1:0", "--feed-keep", "1000000", "--token-file"]);
    let (process, ready) = start(command.arg(directory.join("token")));
    let told = |side: &str| ready[side].as_str().unwrap().to_owned();
    Sidecar { _process: process, http: told("http"), game: told("game") }
}

/// A server that answers what it is sent.
async fn echo() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let router = Router::new().route("/", post(async |body: Bytes| body));
    tokio::spawn(axum::serve(listener, router).into_future());
    url
}

/// An order under that key; nothing in the world grows by it.
fn order(nth: usize) -> Value {
    json!({"text": "The harvest begins in Yew", "runId": "bench", "fence": 1, "ttlMs": 60_000, "idempotencyKey": format!("{nth:040x}")})
}

async fn ask(client: &reqwest::Client, url: &str, body: &Value) -> Value {
    let answer = client.post(url).bearer_auth(TOKEN).json(body).send().await.unwrap();
    let (status, body) = (answer.status(), answer.json().await.unwrap());
    assert_eq!(status, 200, "{body}");
    body
}

/// The median of so many asked one after the other.
async fn median(client: &reqwest::Client, url: &str, from: usize, count: usize) -> Duration {
    let mut times = Vec::with_capacity(count);
    for nth in from..from + count {
        let begun = Instant::now();
        ask(client, url, &order(nth)).await;
        times.push(begun.elapsed());
    }
    times.sort();
    times[count / 2]
}

/// The median of one flush to the disk that the game writes to: a keyed command has several, before and behind its effect.
fn flush(directory: &Path, count: usize) -> Duration {
    let mut file = std::fs::File::create(directory.join("flushed")).unwrap();
    let mut time = || {
        let begun = Instant::now();
        file.write_all(b"a line of a journal\n").unwrap();
        file.sync_data().unwrap();
        begun.elapsed()
    };
    let mut times: Vec<Duration> = (0..count).map(|_| time()).collect();
    times.sort();
    times[count / 2]
}

async fn commands(client: &reqwest::Client, directory: &Path, count: usize) {
    let sidecar = start_sidecar(&directory.join("link"));
    let mut game = Command::new(env!("CARGO_BIN_EXE_leasehold-shard"));
    game.args(["--link", &sidecar.game, "--console", "127.0.0.1:0", "--enable-events", "--enable-admin-write", "--data"]);
    let _game = start(game.arg(directory.join("game")));
    let health = format!("http://{}/health", sidecar.http);
    let connected = async || client.get(&health).bearer_auth(TOKEN).send().await.unwrap().json::<Value>().await.unwrap();
    while connected().await["connected"] != true {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let (bare, url) = (echo().await, format!("http://{}/admin/broadcast", sidecar.http));
    median(client, &bare, 0, count / 10 + 1).await;
    median(client, &url, 10_000_000, count / 10 + 1).await;
    let echoed = median(client, &bare, 0, count).await;
    let carried = median(client, &url, 0, count).await;
    println!("a bare echo            {:>9.1} us", echoed.as_secs_f64() * 1e6);
    println!("one flush to the disk  {:>9.1} us", flush(directory, count).as_secs_f64() * 1e6);
    println!(
        "a keyed command        {:>9.1} us, {:.2} times the echo",
        carried.as_secs_f64() * 1e6,
        carried.as_secs_f64() / echoed.as_secs_f64()
    );

    let begun = Instant::now();
    let askers = (0..ASKERS).map(|asker| {
        let url = url.clone();
        async move {
            for nth in 0..=count / ASKERS {
                ask(client, &url, &order(20_000_000 + asker * 1_000_000 + nth)).await;
            }
        }
    });
    futures::future::join_all(askers).await;
    let each_second = ((count / ASKERS + 1) * ASKERS) as f64 / begun.elapsed().as_secs_f64();
    println!("commands, {ASKERS} askers    {each_second:>9.0} a second");
}

async fn reports(client: &reqwest::Client, directory: &Path, count: u64) {
    let sidecar = start_sidecar(&directory.join("feed"));
    let (read, mut write) = TcpStream::connect(&sidecar.game).await.unwrap().into_split();
    let hello = json!({"kind": "server.hello", "t": 1, "protocol": 7, "bootId": "b", "keyMemorySec": 3600, "keyCap": 4096, "game": "bench", "scope": "main"});
    write.write_all(format!("{hello}\n").as_bytes()).await.unwrap();
    let mut lines = BufReader::new(read).lines();
    assert!(lines.next_line().await.unwrap().unwrap().contains("link.welcome"));
    let begun = Instant::now();
    let says = async {
        for seq in 1..=count {
            let report = json!({"kind": "mob.killed", "t": seq, "seq": seq, "eventId": format!("b-{seq}"), "creature": "orc", "region": "Yew", "map": "Felucca", "x": 540, "y": 992});
            write.write_all(format!("{report}\n").as_bytes()).await.unwrap();
        }
    };
    let hears = async {
        loop {
            let told: Value = serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
            if told["seq"] == count {
                return begun.elapsed();
            }
        }
    };
    let reads = async {
        let mut after = 0;
        // One more than the reports: the game's hello is one.
        while after <= count {
            let url = format!("http://{}/feed?after={after}&waitMs=2000", sidecar.http);
            let feed: Feed = client.get(url).bearer_auth(TOKEN).send().await.unwrap().json().await.unwrap();
            after = feed.reports.last().map_or(after, |report| report.n);
        }
        begun.elapsed()
    };
    let ((), kept, forwarded) = tokio::join!(says, hears, reads);
    println!("reports kept           {:>9.0} a second", count as f64 / kept.as_secs_f64());
    println!("reports forwarded      {:>9.0} a second", count as f64 / forwarded.as_secs_f64());
}

#[tokio::main]
async fn main() {
    let mut counts = std::env::args().skip(1).filter_map(|word| word.parse::<u64>().ok());
    let (orders, told) = (counts.next().unwrap_or(2_000).clamp(16, 50_000), counts.next().unwrap_or(50_000).clamp(1, 900_000));
    let (client, directory) = (reqwest::Client::builder().no_proxy().build().unwrap(), tempfile::tempdir().unwrap());
    commands(&client, directory.path(), usize::try_from(orders).unwrap()).await;
    reports(&client, directory.path(), told).await;
}
