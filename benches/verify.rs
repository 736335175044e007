//! How fast `log verify` is beside a bare ordered read of the same rows: every column of every event fetched in order and
//! looked at by nobody. Both take turns on one server of the engine's own.
//!
//! `cargo bench --bench verify -- EVENTS` sets how many events there are (default 1,000,000). Exit 1 where the median of
//! the paired ratios misses its limit, or where memory grows with the log.

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run ends there")]

use std::hint::black_box;
use std::os::unix::fs::PermissionsExt;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Instant;

use futures::TryStreamExt;
use leasehold::embedded::Embedded;
use leasehold::log::{self, Log, LogOptions};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Executor, Row, ValueRef};

/// As the engine does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The least share of the bare read's speed.
const LIMIT: f64 = 0.8;
/// What the process may have grown by from the first turn to the last, in kibibytes.
const GROWTH: u64 = 32 * 1024;
const TURNS: usize = 7;
/// Events that one statement makes.
const FILL: u64 = 20_000;

#[tokio::main]
async fn main() -> ExitCode {
    let events: u64 = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(1_000_000);
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let database = Embedded::start(dir.path()).await.unwrap();
    let log = filled(&database, events).await;

    println!("{events} events, {} bytes of text each on average; {TURNS} turns", width(&log).await);
    println!("{:>6} {:>14} {:>14} {:>8} {:>12}", "turn", "read/s", "verify/s", "ratio", "resident KiB");
    let (mut ratios, mut resident) = (Vec::new(), Vec::new());
    for turn in 1..=TURNS {
        // Each goes first in every other turn.
        let (read, verified) = if turn % 2 == 0 {
            let verified = verify(&log, events).await;
            (bare_read(&log, events).await, verified)
        } else {
            (bare_read(&log, events).await, verify(&log, events).await)
        };
        ratios.push(verified / read);
        resident.push(resident_kib());
        println!("{turn:>6} {read:>14.0} {verified:>14.0} {:>8.2} {:>12}", verified / read, resident[turn - 1]);
    }
    database.stop().await.unwrap();

    ratios.sort_by(f64::total_cmp);
    let (ratio, grown) = (ratios[TURNS / 2], resident[TURNS - 1].saturating_sub(resident[0]));
    let (fast, flat) = (ratio >= LIMIT, grown <= GROWTH);
    println!("median ratio {ratio:.2}, limit {LIMIT}: {}", if fast { "held" } else { "MISSED" });
    println!("grown by {grown} KiB, limit {GROWTH}: {}", if flat { "held" } else { "MISSED" });
    if fast && flat { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A log of events as the engine writes them: a payload of about 300 bytes, metadata of about 150.
async fn filled(database: &Embedded, events: u64) -> Log {
    let owner = PgConnectOptions::from_str(database.owner_url()).unwrap();
    log::prepare(&owner).await.unwrap();
    let mut connection = owner.connect().await.unwrap();
    connection.execute("set synchronous_commit = off").await.unwrap();
    for first in (0..events).step_by(usize::try_from(FILL).unwrap()) {
        let last = events.min(first + FILL);
        let fill = format!(
            "insert into public.events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
             select 'run', 'run-' || n / 50, n % 50 + 1, 'step_claimed', '1',
                    json_build_object('type', 'step_claimed', 'at', '2027-03-28T18:00:00.000000Z', 'step', 'light-' || n,
                                      'attempt', 1, 'key', md5(n::text), 'text', repeat('x', 180)),
                    json_build_object('actor', 'runner', 'at', '2027-03-28T18:00:00.000000Z', 'command_id', md5(n::text),
                                      'recorded_by', md5('engine'))
             from generate_series({first}, {last} - 1) n"
        );
        connection.execute(fill.as_str()).await.unwrap();
    }
    connection.execute("vacuum analyze public.events").await.unwrap();
    Log::connect(PgConnectOptions::from_str(database.app_url()).unwrap(), LogOptions::default()).await.unwrap()
}

/// Events a second, every column of which has come into this process and is handed on in place.
async fn bare_read(log: &Log, events: u64) -> f64 {
    let start = Instant::now();
    let mut rows = sqlx::query(
        "select position, recorded_at, aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata, hash
         from public.events order by position",
    )
    .fetch(log.pool());
    let mut read = 0;
    while let Some(row) = rows.try_next().await.unwrap() {
        for column in 0..row.len() {
            let value = row.try_get_raw(column).unwrap();
            black_box(if value.is_null() { &[][..] } else { value.as_bytes().unwrap() });
        }
        read += 1;
    }
    assert_eq!(read, events);
    rate(events, start)
}

async fn verify(log: &Log, events: u64) -> f64 {
    let start = Instant::now();
    assert_eq!(log.verify(None, |_| {}).await.unwrap().events, events);
    rate(events, start)
}

#[expect(clippy::cast_precision_loss, reason = "no log has 2^52 events")]
fn rate(events: u64, since: Instant) -> f64 {
    events as f64 / since.elapsed().as_secs_f64()
}

async fn width(log: &Log) -> i64 {
    let width =
        sqlx::query_scalar("select avg(octet_length(payload::text) + octet_length(metadata::text))::bigint from public.events");
    width.fetch_one(log.pool()).await.unwrap()
}

/// What this process keeps in memory, as the kernel counts it.
fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}
