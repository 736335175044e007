//! How fast schedules become runs: what one definition costs among few and among many, and what a pass costs that finds
//! nothing to do, beside the same with few. Prints the figures and their limits; exit status 1 where one is missed.
//!
//! `cargo bench --bench expansion -- DEFINITIONS` sets how many are many (default 10,000).

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run ends there")]

mod ground;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use ground::Ground;
use leasehold::log::Log;
use serde_json::json;

/// As the engine does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const FEW: i64 = 100;
/// Of the time with few.
const LIMIT: f64 = 1.5;
/// Looks at what is due.
const LOOKS: usize = 501;
/// Between two looks at how far it has got.
const GLANCE: Duration = Duration::from_millis(5);

/// What it cost.
struct Cost {
    /// Milliseconds a definition.
    each: f64,
    /// Milliseconds of a look that finds nothing due.
    idle: f64,
}

#[tokio::main]
async fn main() -> ExitCode {
    let many = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(10_000);
    let (few, full) = (expanded(FEW).await, expanded(many).await);
    println!("definitions whose horizon is filled with two runs each");
    let mut held = true;
    for (what, of_few, of_many) in
        [("milliseconds a definition", few.each, full.each), ("a look with nothing due", few.idle, full.idle)]
    {
        let ratio = of_many / of_few;
        let kept = ratio <= LIMIT;
        println!(
            "{what:>28}: {of_few:.3} among {FEW}, {of_many:.3} among {many}: {ratio:.2}  limit {LIMIT:.2}  {}",
            if kept { "held" } else { "MISSED" }
        );
        held &= kept;
    }
    if held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// An engine on a log of so many verified definitions that has nothing left to make.
async fn expanded(definitions: i64) -> Cost {
    let ground = Ground::laid().await;
    let (log, mut owner) = (ground.log.clone(), ground.owner().await);
    for (sequence, event_type, version, payload) in history() {
        sqlx::query(EVENTS)
            .bind(definitions)
            .bind(sequence)
            .bind(event_type)
            .bind(version)
            .bind(payload)
            .execute(&mut owner)
            .await
            .unwrap();
    }
    sqlx::query("vacuum analyze events").execute(&mut owner).await.unwrap();
    let engine = ground.engine(Vec::new());
    let (start, wanted) = (Instant::now(), definitions * RUNS);
    engine.run().await.unwrap();
    while runs(&log).await < wanted {
        tokio::time::sleep(GLANCE).await;
    }
    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    let each = start.elapsed().as_secs_f64() * 1_000.0 / definitions as f64;
    engine.stop.cancel();
    // As it is cleared away sooner or later by the server itself: what was staged and is done leaves its places behind.
    sqlx::query("vacuum analyze staged").execute(&mut owner).await.unwrap();
    let now = engine.clock.now().await.unwrap();
    let mut looks = Vec::new();
    for _ in 0..LOOKS {
        let start = Instant::now();
        assert!(log.due(now, 200).await.unwrap().is_empty() && log.next_due().await.unwrap().is_some());
        looks.push(start.elapsed().as_secs_f64() * 1_000.0);
    }
    looks.sort_by(f64::total_cmp);
    ground.over().await;
    Cost { each, idle: looks[LOOKS / 2] }
}

/// Runs of the horizon of 14 days: one a week.
const RUNS: i64 = 2;

async fn runs(log: &Log) -> i64 {
    let made = "select count(*) from events where event_type = 'run_scheduled'";
    sqlx::query_scalar(made).fetch_one(log.pool()).await.unwrap()
}

const EVENTS: &str = "
insert into events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata)
select 'definition', 'd' || n, $2, $3, $4, replace($5, 'NTH', n::text)::json, '{}' from generate_series(1, $1) n";

/// What happened to every definition: sequence, type, version and payload.
fn history() -> [(i64, &'static str, &'static str, String); 3] {
    let hail = json!({"key": "hail", "action": "core.announce", "actionVersion": 1, "params": {"leg": "log", "text": "In"}});
    let content = json!({
        "title": "Lamps NTH", "summary": "In short", "storyline": "At length", "image": null, "venue": null, "category": "gathering",
        "ownerModule": null, "timezone": "Europe/Berlin", "graceSeconds": 900, "concurrencyKey": "lamps:NTH",
        "spec": {"schedule": {"kind": "weekly", "days": ["friday"], "times": ["20:00"]}, "params": [],
            "phases": [{"key": "open", "label": "Opening", "steps": [hail]}]}});
    [
        (1, "definition_created", "1", json!({"type": "definition_created", "slug": "slug-NTH"}).to_string()),
        (2, "definition_published", "2", json!({"type": "definition_published", "version": 1, "content": content}).to_string()),
        (3, "definition_verified", "1", json!({"type": "definition_verified", "version": 1}).to_string()),
    ]
}
