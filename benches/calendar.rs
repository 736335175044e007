//! How fast the first page of a month is told over many runs, beside the same page over few: two logs, one engine's way of reading
//! them, in turns. Prints medians and the limit; exit status 1 where it is missed.
//!
//! `cargo bench --bench calendar -- RUNS` sets how many are many (default 100,000).

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run ends there")]

mod ground;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use ground::Ground;
use leasehold::engine::Engine;
use leasehold::engine::calendar::Asked;
use leasehold_projections::PageRequest;
use leasehold_projections::runs::RunFilter;
use serde_json::json;

/// As the engine does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const FEW: i64 = 200;
const TURNS: usize = 101;
/// Of the time over few.
const LIMIT: f64 = 3.0;
/// Definitions with a schedule, whose forecasts are told beside the runs.
const DEFINITIONS: i64 = 100;
/// More than anybody waits for rows.
const HANGS: Duration = Duration::from_secs(1_800);

struct Bed {
    ground: Ground,
    engine: Engine,
}

#[tokio::main]
async fn main() -> ExitCode {
    let many = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(100_000);
    let (few, full) = (bed(FEW).await, bed(many).await);
    let (mut of_few, mut of_many) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        of_few.push(first_page(&few.engine).await);
        of_many.push(first_page(&full.engine).await);
    }
    let (of_few, of_many) = (median(of_few), median(of_many));
    let (ratio, pages) = (of_many / of_few, every_page(&full.engine, many).await);
    println!("first page of a month, {TURNS} turns; medians in milliseconds");
    println!("{:>28} {of_few:>10.2}", format!("over {FEW} runs"));
    println!("{:>28} {of_many:>10.2}", format!("over {many} runs"));
    println!("{:>28} {:>10.2}", "a page, over all pages", pages);
    let held = ratio <= LIMIT;
    println!("{:>28} {ratio:>10.2}  limit {LIMIT:.2}  {}", "many, of few", if held { "held" } else { "MISSED" });
    for bed in [few, full] {
        bed.engine.stop.cancel();
        bed.ground.over().await;
    }
    if held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn month() -> (DateTime<Utc>, DateTime<Utc>) {
    let begins: DateTime<Utc> = "2031-01-01T00:00:00Z".parse().unwrap();
    (begins, begins + TimeDelta::days(31))
}

/// With what is in the way of what, as the route tells it; in milliseconds.
async fn first_page(engine: &Engine) -> f64 {
    let start = Instant::now();
    let told = page(engine, None).await;
    assert_eq!(told.0, 50);
    start.elapsed().as_secs_f64() * 1_000.0
}

async fn page(engine: &Engine, token: Option<String>) -> (usize, Option<String>) {
    let (from, to) = month();
    let runs = RunFilter { from: Some(from), to: Some(to), ..RunFilter::default() };
    let asked = Asked { runs, forecasts: true, ..Asked::default() };
    let now = "2030-06-01T00:00:00Z".parse().unwrap();
    let told = engine.calendar(&asked, &PageRequest { token, limit: None }, "bench", now).await.unwrap();
    let conflicts = engine.conflicts(&told.page.items, &told.listings, now).await.unwrap();
    assert_eq!(conflicts.len(), told.page.items.len());
    (told.page.items.len(), told.page.next_page_token)
}

/// Mean of a page over the whole month, in milliseconds; every run comes.
async fn every_page(engine: &Engine, runs: i64) -> f64 {
    let (start, mut pages, mut entries, mut token) = (Instant::now(), 0, 0, None);
    loop {
        let (told, next) = page(engine, token).await;
        (pages, entries) = (pages + 1, entries + told);
        match next {
            // Enough to know what a page deep in the month costs.
            Some(next) if pages < 500 => token = Some(next),
            _ => break,
        }
    }
    assert!(pages == 500 || i64::try_from(entries).unwrap() >= runs);
    start.elapsed().as_secs_f64() * 1_000.0 / f64::from(pages)
}

/// An engine whose rows hold so many runs of one month.
async fn bed(runs: i64) -> Bed {
    let ground = Ground::laid().await;
    let mut owner = ground.owner().await;
    for (sql, count) in [(DEFINED, DEFINITIONS), (PUBLISHED, DEFINITIONS), (SCHEDULED, runs)] {
        sqlx::query(sql).bind(count).bind(template(sql)).execute(&mut owner).await.unwrap();
    }
    let engine = ground.engine(Vec::new());
    engine.run().await.unwrap();
    let head = engine.log.head().await.unwrap().unwrap().position;
    for projection in ["definitions", "runs"] {
        engine.projectors().unwrap().wait_for(projection, head, HANGS).await.unwrap();
    }
    let (runs, definitions) = (leasehold_projections::runs::VERSION, leasehold_projections::definitions::VERSION);
    for table in [format!("runs_v{runs}"), format!("run_wants_v{runs}"), format!("definitions_v{definitions}")] {
        sqlx::query(&format!("analyze projections.{table}_g1")).execute(&mut owner).await.unwrap();
    }
    Bed { ground, engine }
}

const DEFINED: &str = "
insert into events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
select 'definition', 'd' || n, 1, 'definition_created', '1', replace($2, 'NTH', n::text)::json, '{}' from generate_series(1, $1) n";

const PUBLISHED: &str = "
insert into events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
select 'definition', 'd' || n, 2, 'definition_published', '2', replace($2, 'NTH', n::text)::json, '{}' from generate_series(1, $1) n";

/// Spread over the month, of all definitions in turn.
const SCHEDULED: &str = "
insert into events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
select 'run', 'r' || n, 1, 'run_scheduled', '1', replace(replace(replace($2, 'NTH', n::text), 'DEF', (n % 100 + 1)::text), 'AT',
       to_char(timestamp '2031-01-01' + (n - 1) * (interval '31 days' / $1::double precision), 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'))::json, '{}'
from generate_series(1, $1) n";

fn template(sql: &str) -> String {
    let phases = |steps| json!([{"key": "open", "label": "Opening", "steps": steps}]);
    let told = match sql {
        DEFINED => json!({"type": "definition_created", "slug": "slug-NTH"}),
        PUBLISHED => json!({"type": "definition_published", "version": 1, "content": {
            "title": "Lamps NTH", "summary": "In short", "storyline": "At length", "image": null, "venue": null, "category": "gathering",
            "ownerModule": null, "timezone": "Europe/Berlin", "graceSeconds": 900, "concurrencyKey": "lamps:NTH",
            "spec": {"schedule": {"kind": "weekly", "days": ["friday"], "times": ["20:00"]}, "params": [],
                "phases": phases(json!([{"key": "hail", "action": "core.announce", "actionVersion": 1, "params": {"leg": "log", "text": "In"}}]))}}}),
        _ => json!({"type": "run_scheduled", "at": "2030-01-01T00:00:00Z", "run": {
            "run_id": "rNTH", "definition_id": "dDEF", "definition_version": 1, "title": "Lamps DEF", "scope": "main", "slot": null,
            "generation": 0, "scheduled_for": "AT", "timezone": "Europe/Berlin", "dst_adjusted": null, "grace_seconds": 900,
            "concurrency_key": "lamps:DEF", "rehearsal": false, "params": {},
            "plan": {"phases": [{"key": "open", "label": "Opening", "steps": [], "after_seconds": 1800}]}}}),
    };
    told.to_string()
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
