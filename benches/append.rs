//! How many commands of five events a second the log takes, beside plain inserts of five rows into a plain table of the
//! same columns: same server, same connections, taking turns within the same minutes, each command a commit of its own.
//!
//! The server is the engine's own, made for this and durable. What is printed last is the ratio: absolute figures say more
//! about the machine than about the log. `cargo bench --bench append -- SECONDS` sets the length of a turn (default 2).

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run ends there")]

use std::os::unix::fs::PermissionsExt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use leasehold::embedded::Embedded;
use leasehold::log::{self, Append, Log, LogOptions, NewEvent, StreamId, StreamWrite};
use serde_json::json;
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Executor};
use uuid::Uuid;

const EVENTS: u64 = 5;
const ROUNDS: usize = 5;
const WRITERS: [usize; 3] = [1, 4, 16];

/// The log's columns without its guards: what any program would insert into.
const PLAIN: &str = "
create table public.plain (
    aggregate_type text collate \"C\" not null,
    aggregate_id text collate \"C\" not null,
    sequence bigint not null,
    event_type text not null,
    event_version text not null,
    payload json not null,
    metadata json not null,
    primary key (aggregate_type, aggregate_id, sequence)
);
grant insert on public.plain to leasehold_app";

/// What takes turns.
#[derive(Clone, Copy)]
enum Way {
    Append,
    Plain,
}

static COMMANDS: AtomicU64 = AtomicU64::new(1);

#[tokio::main]
async fn main() {
    let seconds = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(2.0);
    let turn = Duration::from_secs_f64(seconds);
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let database = Embedded::start(dir.path()).await.unwrap();
    let log = prepared(&database).await;

    println!("{EVENTS} events a command; {ROUNDS} turns of {seconds} s each; medians");
    println!("{:>8} {:>12} {:>12} {:>8}", "writers", "appends/s", "inserts/s", "ratio");
    for writers in WRITERS {
        let (mut appends, mut inserts) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            appends.push(rate(&log, Way::Append, writers, turn).await);
            inserts.push(rate(&log, Way::Plain, writers, turn).await);
        }
        let ratio = median(appends.iter().zip(&inserts).map(|(append, insert)| append / insert).collect());
        println!("{writers:>8} {:>12.0} {:>12.0} {ratio:>8.2}", median(appends), median(inserts));
    }
    let verified = log.verify(None, |_| {}).await.unwrap();
    println!("the log holds {} events, and its chain is unbroken", verified.events);
    database.stop().await.unwrap();
}

async fn prepared(database: &Embedded) -> Log {
    let owner = PgConnectOptions::from_str(database.owner_url()).unwrap();
    log::prepare(&owner).await.unwrap();
    owner.connect().await.unwrap().execute(PLAIN).await.unwrap();
    let options = LogOptions { connections: 20, ..LogOptions::default() };
    Log::connect(PgConnectOptions::from_str(database.app_url()).unwrap(), options).await.unwrap()
}

/// Commands a second, by that many writers at once, each on streams of its own.
async fn rate(log: &Log, way: Way, writers: usize, turn: Duration) -> f64 {
    let start = Instant::now();
    let each = (0..writers).map(|_| {
        let log = log.clone();
        tokio::spawn(async move {
            let mut done = 0_u32;
            while start.elapsed() < turn {
                let number = COMMANDS.fetch_add(1, Ordering::Relaxed);
                match way {
                    Way::Append => append(&log, number).await,
                    Way::Plain => insert(&log, number).await,
                }
                done += 1;
            }
            done
        })
    });
    let mut done = 0.0;
    for writer in futures::future::join_all(each).await {
        done += f64::from(writer.unwrap());
    }
    done / start.elapsed().as_secs_f64()
}

fn payload(event: u64) -> serde_json::Value {
    json!({"type": "lamp_lit", "at": "2027-03-28T18:00:00.000000Z", "step": "light", "number": event, "text": "x".repeat(120)})
}

async fn append(log: &Log, number: u64) {
    let event = |event| NewEvent { event_type: "lamp_lit".into(), event_version: "1".into(), payload: payload(event) };
    let events = (1..=EVENTS).map(event).collect();
    let write = StreamWrite { stream: StreamId::new("lamp", number.to_string()), expected: 0, events };
    log.append(Append { writes: vec![write], ..Append::of(Uuid::from_u128(number.into())) }).await.unwrap();
}

async fn insert(log: &Log, number: u64) {
    let sequences: Vec<i64> = (1..=EVENTS).map(u64::cast_signed).collect();
    let payloads: Vec<String> = (1..=EVENTS).map(|event| payload(event).to_string()).collect();
    sqlx::query(
        "insert into public.plain
         select 'lamp', $1, r.sequence, 'lamp_lit', '1', r.payload::json, $2::json
         from unnest($3::bigint[], $4::text[]) as r (sequence, payload)",
    )
    .bind(number.to_string())
    .bind(json!({"command_id": Uuid::from_u128(number.into()).to_string()}).to_string())
    .bind(sequences)
    .bind(payloads)
    .execute(log.pool())
    .await
    .unwrap();
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
