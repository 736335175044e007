//! How many signals a second are recorded and counted at ten gates, with 10,000 subscriptions of which those ten match, beside
//! single-row commits of one client on the same server in the same run. Prints both and their ratio.
//!
//! `cargo bench --bench signals -- SIGNALS` sets how many signals there are (1 to 1,000, default 1,000).

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run ends there")]

mod ground;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ground::Ground;
use leasehold::engine::definitions::Wanted;
use leasehold::engine::runs::StartRequest;
use leasehold::engine::{Act, Engine};
use leasehold_aggregates::account::Role;
use leasehold_module::{
    Answering, Failure, FeedAnswer, FeedAsk, FeedRead, Fired, Manifest, Module, Perform, Performed, Revert, Reverted,
};
use serde_json::{Map, json};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection};

/// As the engine does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Runs whose gates count.
const GATES: usize = 10;
/// Subscriptions beside theirs: of a hundred types in a hundred scopes.
const OTHERS: i64 = 10_000 - 10;
/// Commits beside which the signals are measured.
const COMMITS: u32 = 1_000;
/// Whatever takes this long has failed.
const HANGS: Duration = Duration::from_secs(600);

/// A game that reports lamps.
struct Lamps {
    manifest: Manifest,
    reported: Arc<Mutex<u64>>,
}

impl Lamps {
    fn new(reported: Arc<Mutex<u64>>) -> Self {
        let manifest = json!({
            "id": "demo", "label": "Lamps", "version": 1,
            "triggers": [{"id": "demo.lamp.broken", "label": "A lamp broke", "awaiting": "a lamp to break",
                          "fields": [{"name": "region", "type": "string", "example": "North"}]}]
        });
        Self { manifest: serde_json::from_value(manifest).unwrap(), reported }
    }
}

impl Module for Lamps {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn perform(&self, _request: Perform) -> Answering<'_, Performed> {
        Box::pin(async { Performed::Failed(Failure::refused("no_such_action", "there is none")) })
    }

    fn revert(&self, _request: Revert) -> Answering<'_, Reverted> {
        Box::pin(async { Reverted::Failed(Failure::refused("nothing_to_revert", "there is none")) })
    }

    fn feed(&self, ask: FeedAsk) -> Answering<'_, FeedAnswer> {
        let newest = *self.reported.lock().unwrap();
        let after = ask.after.map_or(newest, |place| place.number);
        let through = newest.min(after + u64::from(ask.limit));
        let fired = (after + 1..=through).map(|number| Fired {
            fingerprint: number.to_string(),
            trigger: "demo.lamp.broken".into(),
            happened_at: None,
            vars: Map::from_iter([("region".to_owned(), json!("North"))]),
            run_id: None,
        });
        let read = FeedRead { feed: "lamps".into(), through, lost: 0, fired: fired.collect() };
        Box::pin(async move { FeedAnswer::Read(read) })
    }
}

#[tokio::main]
async fn main() {
    let signals: u64 = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(1_000);
    let ground = Ground::laid().await;
    let reported = Arc::new(Mutex::new(0));
    let engine = ground.engine(vec![Arc::new(Lamps::new(Arc::clone(&reported)))]);
    engine.run().await.unwrap();
    wait_at_gates(&engine, signals).await;
    others(&engine).await;

    let commits = single_rows(&ground.owner).await;
    let begun = Instant::now();
    *reported.lock().unwrap() = signals;
    until_open(&engine).await;
    let counted = f64::from(u32::try_from(signals).unwrap()) / begun.elapsed().as_secs_f64();
    println!("{signals} signals, {GATES} gates among {} subscriptions", OTHERS + 10);
    println!("{:>32} {counted:>10.0}", "signals a second");
    println!("{:>32} {commits:>10.0}", "single-row commits a second");
    println!("{:>32} {:>10.2}", "signals of commits", counted / commits);
    engine.stop.cancel();
    engine.tasks.close();
    engine.tasks.wait().await;
    engine.log.pool().close().await;
    ground.over().await;
}

/// Starts the runs that wait for so many signals.
async fn wait_at_gates(engine: &Engine, signals: u64) {
    let body = json!({
        "title": "Lamps", "slug": "lamps", "timezone": "UTC",
        "spec": {"schedule": {"kind": "manual"}, "params": [], "phases": [
            {"key": "lights", "label": "Lights", "advance": {"on": "demo.lamp.broken", "count": signals}, "steps": [
                {"key": "hail", "action": "core.announce", "params": {"leg": "log", "text": "Mind the lamps"}}]}]}
    });
    let act = || async { Act::by("bench", engine.clock.now().await.unwrap()) };
    let made = engine.create_definition(&act().await, Role::Admin, &body).await.unwrap();
    engine.publish(&act().await, Role::Admin, &made.id, &Wanted::Any).await.unwrap();
    for _ in 0..GATES {
        engine.start_by_hand(&act().await, &made.id, &StartRequest::default()).await.unwrap();
    }
}

async fn others(engine: &Engine) {
    let others = sqlx::query(
        "insert into listeners (id, aggregate_type, aggregate_id, event_type, scope, filter, after_position)
         select gen_random_uuid(), 'run', 'other-' || n, 'demo.other.' || n % 100, 'scope-' || n / 100, '{}', 0
         from generate_series(1, $1) as n",
    );
    others.bind(OTHERS).execute(engine.log.pool()).await.unwrap();
    sqlx::query("analyze listeners").execute(engine.log.pool()).await.unwrap();
}

/// Commits a second of one client, a row each.
async fn single_rows(options: &PgConnectOptions) -> f64 {
    let mut connection = options.connect().await.unwrap();
    sqlx::query("create table public.bench_rows (n bigint)").execute(&mut connection).await.unwrap();
    let begun = Instant::now();
    for n in 0..COMMITS {
        sqlx::query("insert into public.bench_rows values ($1)").bind(i64::from(n)).execute(&mut connection).await.unwrap();
    }
    let elapsed = begun.elapsed().as_secs_f64();
    connection.close().await.unwrap();
    f64::from(COMMITS) / elapsed
}

async fn until_open(engine: &Engine) {
    let open = "select count(*) from events where event_type = 'gate_satisfied'";
    let waited = Instant::now();
    while sqlx::query_scalar::<_, i64>(open).fetch_one(engine.log.pool()).await.unwrap() < 10 {
        assert!(waited.elapsed() < HANGS, "the gates did not open");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
