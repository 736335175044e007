//! How fast projections are built anew, beside the least that it could cost: the same rows of the same log, in turns, in the
//! same minutes. Prints medians and limits; exit status 1 where a limit is missed.
//!
//! The log is filled with a block of whole lives of runs, eight at a time, each with steps, things made and undone and a borrowed
//! value, copied under other names until there are enough events.
//! `cargo bench --bench rebuild -- EVENTS` sets how many (default 1,000,000), and a number after it how many of them a
//! transaction takes.

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run ends there")]

#[path = "../projections/tests/bench/mod.rs"]
mod bench;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::os::unix::fs::PermissionsExt;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::TryStreamExt;
use leasehold::embedded::Embedded;
use leasehold::engine::projector::{Build, Built, Pace, Reading, rehearse};
use leasehold::log::{self, Log, LogOptions};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::{Definition, DefinitionEvent};
use leasehold_aggregates::event::decode_text;
use leasehold_aggregates::ledger::{Entry, LedgerEvent};
use leasehold_aggregates::run::{Run, RunEvent};
use leasehold_projections::{Projection, generations};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Executor, PgConnection, Row};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// As the engine does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 3;
/// Events of the block that is copied.
const BLOCK: usize = 5_000;
const FEW: u64 = 10_000;
/// Of a bare read, decode and fold.
const FOLD_LIMIT: f64 = 0.9;
/// Of one row for each event, written by SQL alone.
const ROWS_LIMIT: f64 = 0.8;
/// Peak memory with all events, beside that with few.
const MEMORY_LIMIT: f64 = 1.25;

const VIEW: &str = "
create table if not exists public.view_rows (
    position bigint not null,
    aggregate_type text collate \"C\" not null,
    aggregate_id text collate \"C\" not null,
    sequence bigint not null,
    event_type text not null,
    recorded_at timestamptz not null,
    at text,
    actor text,
    constraint view_rows_pkey primary key (position)
);
truncate public.view_rows";

const BY_SQL: &str = "
insert into public.view_rows
select position, aggregate_type, aggregate_id, sequence, event_type, recorded_at, payload ->> 'at', metadata ->> 'actor'
from public.events";

#[tokio::main]
async fn main() -> ExitCode {
    let mut numbers = std::env::args().filter_map(|argument| argument.parse::<u64>().ok());
    let events = numbers.next().unwrap_or(1_000_000);
    let window = numbers.next().and_then(|window| u32::try_from(window).ok()).unwrap_or(Pace::default().building);
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let database = Embedded::start(dir.path()).await.unwrap();
    let owner = PgConnectOptions::from_str(database.owner_url()).unwrap();
    log::prepare(&owner).await.unwrap();
    let mut owner = owner.connect().await.unwrap();
    println!("of every {BLOCK} events {}", made_of());
    let app = PgConnectOptions::from_str(database.app_url()).unwrap();
    let log = Log::connect(app, LogOptions::default()).await.unwrap();
    log.open_genesis(Uuid::from_u128(1), BTreeMap::new()).await.unwrap();

    fill(&mut owner, FEW).await;
    let small = peak(&log, window).await;
    fill(&mut owner, events).await;
    let large = peak(&log, window).await;
    let memory = large / small;
    println!("peak memory: {small:.0} MiB with {FEW} events, {large:.0} MiB with {events}");

    let (mut bare, mut fold, mut sql, mut rows) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        bare.push(timed(bare_fold(&log)).await);
        fold.push(timed(fold_alone(&log)).await);
        owner.execute(VIEW).await.unwrap();
        sql.push(timed(async { owner.execute(BY_SQL).await.map(|_| ()).unwrap() }).await);
        rows.push(timed(rebuild(&log, window)).await);
    }
    let of = |base: &[f64], ours: &[f64]| median(base.iter().zip(ours).map(|(base, ours)| base / ours).collect());
    let (folded, written) = (of(&bare, &fold), of(&sql, &rows));
    let rate = |seconds: &[f64]| {
        #[expect(clippy::cast_precision_loss, reason = "a rate is told to three digits")]
        let events = events as f64;
        events / median(seconds.to_vec())
    };
    println!("{ROUNDS} turns each, {events} events; medians, events a second");
    println!("{:>28} {:>10.0}", "bare read, decode and fold", rate(&bare));
    println!("{:>28} {:>10.0}", "ours without rows", rate(&fold));
    println!("{:>28} {:>10.0}", "one row an event by SQL", rate(&sql));
    println!("{:>28} {:>10.0}", "ours with all rows", rate(&rows));
    let held = [
        told("decode and fold, of bare", folded, FOLD_LIMIT, folded >= FOLD_LIMIT),
        told("all rows, of SQL alone", written, ROWS_LIMIT, written >= ROWS_LIMIT),
        told("memory, of that with few", memory, MEMORY_LIMIT, memory <= MEMORY_LIMIT),
    ];
    database.stop().await.unwrap();
    if held.into_iter().all(|held| held) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn told(what: &str, figure: f64, limit: f64, held: bool) -> bool {
    println!("{what:>28} {figure:>10.2}  limit {limit:.2}  {}", if held { "held" } else { "MISSED" });
    held
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

async fn timed(work: impl Future<Output = ()>) -> f64 {
    let start = Instant::now();
    work.await;
    start.elapsed().as_secs_f64()
}

/// How many of the block's events are in streams of which kind, and in how many.
fn made_of() -> String {
    let mut kinds: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
    let facts = block();
    for fact in &facts {
        let (events, streams) = kinds.entry(fact.aggregate_type).or_default();
        *events += 1;
        streams.insert(&fact.aggregate_id);
    }
    let each = kinds.iter().map(|(kind, (events, streams))| format!("{events} in {} {kind} streams", streams.len()));
    each.collect::<Vec<_>>().join(", ")
}

fn block() -> Vec<bench::Fact> {
    let mut facts = bench::World::new(7).lives(BLOCK);
    facts.truncate(BLOCK);
    facts
}

/// Brings the log to that many events past its opening. Nothing but the hashes is made up.
async fn fill(owner: &mut PgConnection, events: u64) {
    let facts = block();
    owner.execute("create temporary table if not exists block (like public.events)").await.unwrap();
    owner.execute("truncate block").await.unwrap();
    for some in bench::recorded(&facts).chunks(500) {
        let rows: Vec<serde_json::Value> = some
            .iter()
            .map(|event| {
                serde_json::json!({
                    "aggregate_type": event.aggregate_type, "aggregate_id": event.aggregate_id, "sequence": event.sequence,
                    "event_type": event.event_type, "event_version": event.event_version, "payload": event.payload,
                    "metadata": event.metadata, "position": event.position, "recorded_at": event.recorded_at,
                })
            })
            .collect();
        sqlx::query("alter table block alter hash drop not null").execute(&mut *owner).await.unwrap();
        let insert = "insert into block select * from json_populate_recordset(null::block, $1::text::json)";
        sqlx::query(insert).bind(serde_json::to_string(&rows).unwrap()).execute(&mut *owner).await.unwrap();
    }
    owner.execute("alter table public.events disable trigger user").await.unwrap();
    sqlx::query(
        "insert into public.events
         select b.aggregate_type, b.aggregate_id || '-' || k, b.sequence, b.event_type, b.event_version, b.payload, b.metadata,
                k * $1 + b.position, b.recorded_at, sha256('')
         from generate_series(0, ($2 - 1) / $1) as k cross join block b
         where k * $1 + b.position > (select max(position) from public.events) and k * $1 + b.position <= $2
         order by k, b.position",
    )
    .bind(i64::try_from(BLOCK).unwrap())
    .bind(events.cast_signed())
    .execute(&mut *owner)
    .await
    .unwrap();
    owner.execute("alter table public.events enable always trigger leasehold_1_enter").await.unwrap();
    owner.execute("vacuum analyze public.events").await.unwrap();
    owner.execute("checkpoint").await.unwrap();
}

/// Peak memory of this process while everything is built, in MiB.
async fn peak(log: &Log, window: u32) -> f64 {
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    rebuild(log, window).await;
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1_024.0
}

/// What anybody would write first: one connection, one loop, every state in memory.
async fn bare_fold(log: &Log) {
    let mut runs: HashMap<String, Run> = HashMap::new();
    let mut ledger: HashMap<String, Entry> = HashMap::new();
    let mut definitions: HashMap<String, Definition> = HashMap::new();
    let select = "select position, recorded_at, aggregate_type, aggregate_id, sequence, event_type, event_version,
                         payload::text, metadata::text from public.events where position > 0 order by position";
    let mut rows = sqlx::query(select).fetch(log.pool());
    while let Some(row) = rows.try_next().await.unwrap() {
        let (kind, id): (&str, String) = (row.get(2), row.get(3));
        let (event, version, payload): (&str, &str, &str) = (row.get(5), row.get(6), row.get(7));
        match kind {
            Run::TYPE => runs.entry(id).or_default().apply(decode_text::<RunEvent>(event, version, payload).unwrap()),
            Entry::TYPE => ledger.entry(id).or_default().apply(decode_text::<LedgerEvent>(event, version, payload).unwrap()),
            _ => definitions.entry(id).or_default().apply(decode_text::<DefinitionEvent>(event, version, payload).unwrap()),
        }
    }
    assert!(!runs.is_empty() && !ledger.is_empty() && !definitions.is_empty());
}

/// All of them side by side, as they are built.
async fn fold_alone(log: &Log) {
    let head = log.head().await.unwrap().unwrap().position;
    let reading = Reading::of(log);
    let each = leasehold_projections::all().into_iter().map(|projection| {
        let (log, reading) = (log.clone(), reading.clone());
        tokio::spawn(async move { rehearse(&log, &projection, &reading, head, Pace::default().building).await.unwrap() })
    });
    let folded: u64 = futures::future::join_all(each).await.into_iter().map(Result::unwrap).sum();
    assert_eq!(folded, read_by_any(log).await);
    assert!(folded >= head, "what no projection reads is not measured");
}

/// Events that projections are made from, each counted for every projection that reads it.
async fn read_by_any(log: &Log) -> u64 {
    let mut events = 0;
    for projection in leasehold_projections::all() {
        let count: i64 = sqlx::query_scalar("select count(*) from public.events where position > 0 and aggregate_type = any($1)")
            .bind(projection.streams())
            .fetch_one(log.pool())
            .await
            .unwrap();
        events += count.unsigned_abs();
    }
    events
}

/// All of them side by side, as an engine builds them.
async fn rebuild(log: &Log, window: u32) {
    let reading = Reading::of(log);
    let each = leasehold_projections::all().into_iter();
    let each = each.map(|projection| tokio::spawn(built(log.clone(), reading.clone(), projection, window)));
    futures::future::join_all(each).await.into_iter().for_each(Result::unwrap);
}

async fn built(log: Log, reading: Reading, projection: Arc<dyn Projection>, window: u32) {
    let mut connection = log.pool().acquire().await.unwrap();
    let (generation, _) = generations::begin(&mut connection, projection.as_ref()).await.unwrap();
    drop(connection);
    let holder = Uuid::from_u128(9);
    let epoch = log.acquire(&generation.consumer(), holder, Duration::from_secs(3_600)).await.unwrap().unwrap();
    let pause = Duration::from_secs(1);
    let build = Build { log, reading, projection, generation, epoch, window, pause, stop: CancellationToken::new() };
    assert!(matches!(build.run().await.unwrap(), Built::Serves(_)));
    build.drop_the_last().await.unwrap();
}
