//! What the wire costs: a keyed command from an engine over the sidecar to the game and back, beside a bare HTTP echo on the
//! same machine in the same run, and beside one that writes down durably what it is sent; how many of them there are in a second
//! from sixteen askers; and how many reports of a game are stored, acknowledged and read on in a second.
//!
//! A command cannot be done in less than its flushes, one after the other: its place in the log (the sidecar, where the sender
//! names one), its key before it runs, its answer before it is sent. Prints each figure, and the ratios.
//!
//! `cargo bench -p leasehold-shard --bench wire -- COMMANDS REPORTS` sets how many there are (default 2,000 and 50,000).

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run ends there")]
#![allow(clippy::cast_precision_loss, reason = "figures for people")]

#[path = "../../tests/support/built.rs"]
mod built;

use axum::{Router, body::Bytes, routing::post};
use leasehold_link::{disk::LineFile, wire::feed::Feed};
use serde_json::{Value, json};
use std::{
    io::{BufRead, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
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

/// A server that answers what it is sent; behind `/durable` once it has written it down.
async fn echo(directory: &Path) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let file = Arc::new(Mutex::new(LineFile::replacing(&directory.join("echoed"), "").unwrap()));
    let durable = async move |body: Bytes| {
        let (file, line) = (Arc::clone(&file), format!("{}\n", String::from_utf8_lossy(&body)));
        tokio::task::spawn_blocking(move || file.lock().unwrap().append(&line)).await.unwrap().unwrap();
        body
    };
    let router = Router::new().route("/", post(async |body: Bytes| body)).route("/durable", post(durable));
    tokio::spawn(axum::serve(listener, router).into_future());
    url
}

/// An order under that key; nothing in the world grows by it.
fn order(nth: usize) -> Value {
    json!({"text": "The harvest begins in Yew", "runId": "bench", "fence": 1, "ttlMs": 60_000, "idempotencyKey": format!("{nth:040x}")})
}

/// The place in an engine's log that a command of that number comes from.
fn placed(request: reqwest::RequestBuilder, nth: usize) -> reqwest::RequestBuilder {
    let log = request.header("Leasehold-Log", "6b3f1e0c-52c5-4f4e-9d3b-2f4f0a6c8d11");
    log.header("Leasehold-Position", nth.to_string()).header("Leasehold-Hash", format!("{nth:064x}"))
}

async fn ask(client: &reqwest::Client, url: &str, nth: usize, from_the_log: bool) -> Value {
    let request = client.post(url).bearer_auth(TOKEN).json(&order(nth));
    let answer = if from_the_log { placed(request, nth) } else { request }.send().await.unwrap();
    let (status, body) = (answer.status(), answer.json().await.unwrap());
    assert_eq!(status, 200, "{body}");
    body
}

/// The median of so many asked one after the other.
async fn median(client: &reqwest::Client, url: &str, numbers: std::ops::Range<usize>, from_the_log: bool) -> Duration {
    let mut times = Vec::with_capacity(numbers.len());
    for nth in numbers {
        let begun = Instant::now();
        ask(client, url, nth, from_the_log).await;
        times.push(begun.elapsed());
    }
    middle(times)
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The medians of one flush to the disk: of a line in room that was made ahead, as the journal has it, and of one that makes its file
/// longer.
fn flushes(directory: &Path, count: usize) -> [Duration; 2] {
    let mut ahead = LineFile::replacing(&directory.join("ahead"), "").unwrap();
    let mut longer = std::fs::File::create(directory.join("longer")).unwrap();
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..count {
        let begun = Instant::now();
        ahead.append("a line of a journal\n").unwrap();
        times[0].push(begun.elapsed());
        let begun = Instant::now();
        longer.write_all(b"a line of a journal\n").unwrap();
        longer.sync_data().unwrap();
        times[1].push(begun.elapsed());
    }
    times.map(middle)
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
    let (bare, url) = (echo(directory).await, format!("http://{}/admin/broadcast", sidecar.http));
    let durable = format!("{bare}/durable");
    let warm_up = count / 10 + 1;
    median(client, &bare, 0..warm_up, false).await;
    median(client, &url, 10_000_000..10_000_000 + warm_up, false).await;
    let echoed = median(client, &bare, 0..count, false).await;
    let kept = median(client, &durable, 0..count, false).await;
    let carried = median(client, &url, 0..count, false).await;
    let placed = median(client, &url, 1_000_000..1_000_000 + count, true).await;
    let [ahead, longer] = flushes(directory, count);
    let times = |one: Duration, other: Duration| one.as_secs_f64() / other.as_secs_f64();
    for (what, took) in [
        ("a bare echo", echoed),
        ("an echo that flushes", kept),
        ("one flush, room made", ahead),
        ("one flush, growing", longer),
        ("a keyed command", carried),
        ("one with its place", placed),
    ] {
        let (bare, durable) = (times(took, echoed), times(took, kept));
        println!("{what:<22} {:>9.1} us, {bare:>6.2} bare echoes, {durable:>6.2} that flush", took.as_secs_f64() * 1e6);
    }

    let begun = Instant::now();
    let askers = (0..ASKERS).map(|asker| {
        let url = url.clone();
        async move {
            for nth in 0..=count / ASKERS {
                ask(client, &url, 20_000_000 + asker * 1_000_000 + nth, true).await;
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
