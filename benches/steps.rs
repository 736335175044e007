//! How many steps a second an engine carries out whose module does nothing, beside single-row commits of as many clients in the same
//! minutes on the same server; and how long after its instant a step is dispatched, beside one durable commit.
//!
//! A step that does nothing costs one commit: its answer and the claim of the next are one append. The server is the engine's own,
//! made for this and durable. Every figure is printed with its limit; the exit code is 1 if one is missed.
//! `cargo bench --bench steps -- STEPS` sets how many steps a turn has for each run (default 100).

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run ends there")]

mod ground;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use ground::Ground;
use leasehold::engine::clock::Clock;
use leasehold::engine::definitions::Wanted;
use leasehold::engine::runs::StartRequest;
use leasehold::engine::streams::load;
use leasehold::engine::{Act, Engine};
use leasehold_aggregates::account::Role;
use leasehold_aggregates::run::Run;
use leasehold_module::{
    Answering, Failure, Manifest, Module, Options, OptionsAnswer, Perform, Performed, Revert, Reverted, Success,
};
use serde_json::{Value, json};
use sqlx::postgres::PgPoolOptions;
use sqlx::{Executor, PgPool};

/// As the engine does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Runs at once, and clients beside them.
const CROWDS: [(usize, usize); 3] = [(1, 1), (16, 16), (256, 16)];
/// Of plain commits a second.
const LEAST: f64 = 0.5;
/// Of the p99 of one durable commit.
const LATEST: f64 = 4.0;
/// Phases of one second each, whose steps are dispatched when their gates open.
const SECONDS: usize = 15;
/// Runs that wait for seconds at the same time, and how far apart they are begun: low load, twenty steps a second.
const WAITERS: usize = 20;
const APART: Duration = Duration::from_millis(50);

/// Between two looks at whether a run has ended.
const LOOK: Duration = Duration::from_millis(10);
/// The last events of a run that ended and took nothing.
const ENDS: [&str; 2] = ["run_completed", "cleanup_completed"];

/// A module that does nothing, and notes when it was asked to.
struct Nothing {
    manifest: Manifest,
    clock: OnceLock<Clock>,
    asked: Mutex<BTreeMap<(String, String), DateTime<Utc>>>,
}

impl Nothing {
    fn new() -> Self {
        let action = json!({"id": "demo.nothing", "label": "Nothing", "description": "Does nothing.", "summary": "nothing",
            "risk": "inspect", "reversible": "none", "promise": "effect_once", "version": 1, "budgetMs": 5000, "params": []});
        let manifest = json!({"id": "demo", "label": "Demo", "version": 1, "actions": [action]});
        let manifest = serde_json::from_value(manifest).unwrap();
        Self { manifest, clock: OnceLock::new(), asked: Mutex::default() }
    }
}

impl Module for Nothing {
    fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    fn perform(&self, request: Perform) -> Answering<'_, Performed> {
        Box::pin(async move {
            if let Some(at) = self.clock.get().and_then(Clock::reckoned) {
                self.asked.lock().unwrap().insert((request.run_id, request.step), at);
            }
            Performed::Done(Success::default())
        })
    }

    fn revert(&self, _request: Revert) -> Answering<'_, Reverted> {
        Box::pin(async { Reverted::Failed(Failure::refused("nothing", "nothing was made")) })
    }

    fn options(&self, _request: Options) -> Answering<'_, OptionsAnswer> {
        Box::pin(async { OptionsAnswer::Choices(Vec::new()) })
    }
}

struct Bed {
    ground: Ground,
    engine: Engine,
    nothing: Arc<Nothing>,
    plain: PgPool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let steps = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(100);
    let bed = Bed::made().await;
    let mut met = true;
    for (runs, clients) in CROWDS {
        let definition = bed.definition(&format!("crowd-{runs}"), &in_a_row(steps)).await;
        let (begun, plain) = (Instant::now(), bed.plain_rate(clients).await);
        let (of_steps, again) = (bed.steps_rate(&definition, runs, steps).await, bed.plain_rate(clients).await);
        let ratio = 2.0 * of_steps / (plain + again);
        met &= ratio >= LEAST;
        println!(
            "{runs} runs: {of_steps:.0} steps/s; {clients} clients: {plain:.0} and {again:.0} commits/s; {ratio:.2} (at least {LEAST}) {}, {:.0} s",
            verdict(ratio >= LEAST),
            begun.elapsed().as_secs_f64()
        );
    }
    bed.calm().await;
    met &= bed.late().await;
    bed.engine.stop.cancel();
    bed.ground.over().await;
    if met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn verdict(met: bool) -> &'static str {
    if met { "ok" } else { "MISSED" }
}

/// One phase of so many steps.
fn in_a_row(steps: usize) -> Value {
    let step = |nth| json!({"key": format!("s{nth}"), "action": "demo.nothing", "params": {}});
    json!([{"key": "all", "label": "All", "steps": (0..steps).map(step).collect::<Vec<_>>()}])
}

/// A step a second.
fn by_the_second() -> Value {
    let phase = |nth| {
        let step = json!({"key": format!("s{nth}"), "action": "demo.nothing", "params": {}});
        json!({"key": format!("p{nth}"), "label": "A second", "steps": [step], "advance": {"after": "1s"}})
    };
    Value::Array((0..SECONDS).map(phase).collect())
}

impl Bed {
    async fn made() -> Self {
        let (ground, nothing) = (Ground::laid().await, Arc::new(Nothing::new()));
        let plain = "create table public.plain (id bigint generated always as identity primary key, payload json not null);
                     grant insert on public.plain to leasehold_app";
        ground.owner().await.execute(plain).await.unwrap();
        let engine = ground.engine(vec![nothing.clone()]);
        assert!(nothing.clock.set(engine.clock.clone()).is_ok());
        engine.run().await.unwrap();
        let plain = PgPoolOptions::new().min_connections(16).max_connections(16).connect_with(ground.app.clone()).await.unwrap();
        Self { ground, engine, nothing, plain }
    }

    async fn act(&self) -> Act {
        Act::by("bench", self.engine.clock.now().await.unwrap())
    }

    /// A published definition of these phases.
    async fn definition(&self, slug: &str, phases: &Value) -> String {
        let body = json!({"title": "Nothing", "slug": slug, "timezone": "UTC",
            "spec": {"schedule": {"kind": "manual"}, "params": [], "phases": phases}});
        let saved = self.engine.create_definition(&self.act().await, Role::Admin, &body).await.unwrap();
        self.engine.publish(&self.act().await, Role::Admin, &saved.id, &Wanted::Any).await.unwrap();
        saved.id
    }

    async fn started(&self, definition: &str, runs: usize) -> Vec<String> {
        let start = async || {
            let committed = self.engine.start_by_hand(&self.act().await, definition, &StartRequest::default()).await;
            committed.unwrap().run_id
        };
        futures::future::join_all((0..runs).map(|_| start())).await
    }

    /// Until every one of these runs has ended; looking costs a row, not the run.
    async fn ended(&self, runs: &[String]) {
        let last = "select event_type = any($2) from public.events where aggregate_type = 'run' and aggregate_id = $1
                    order by sequence desc limit 1";
        for run in runs {
            let over = async || {
                let row = sqlx::query_scalar::<_, bool>(last).bind(run).bind(&ENDS[..]).fetch_one(self.engine.log.pool()).await;
                row.unwrap()
            };
            while !over().await {
                tokio::time::sleep(LOOK).await;
            }
        }
    }

    /// Until whoever follows the log has read what the crowds have left: low load is asked for.
    async fn calm(&self) {
        let begun = Instant::now();
        self.ground.read_by_all().await;
        println!("all that follows the log has read it {:.1} s behind the last crowd", begun.elapsed().as_secs_f64());
    }

    async fn steps_rate(&self, definition: &str, runs: usize, steps: usize) -> f64 {
        let begun = Instant::now();
        let started = self.started(definition, runs).await;
        self.ended(&started).await;
        #[allow(clippy::cast_precision_loss, reason = "a count of steps")]
        let done = (runs * steps) as f64;
        done / begun.elapsed().as_secs_f64()
    }

    /// Commits a second of so many clients, for two seconds.
    async fn plain_rate(&self, clients: usize) -> f64 {
        let begun = Instant::now();
        let client = async || {
            let mut done = 0.0;
            while begun.elapsed() < Duration::from_secs(2) {
                self.commit().await;
                done += 1.0;
            }
            done
        };
        let done: f64 = futures::future::join_all((0..clients).map(|_| client())).await.into_iter().sum();
        done / begun.elapsed().as_secs_f64()
    }

    async fn commit(&self) {
        sqlx::query("insert into public.plain (payload) values ('{}')").execute(&self.plain).await.unwrap();
    }

    /// How late steps are dispatched whose gates open one by one, and that none is early.
    async fn late(&self) -> bool {
        let definition = self.definition("by-the-second", &by_the_second()).await;
        let mut started = Vec::new();
        for _ in 0..WAITERS {
            started.extend(self.started(&definition, 1).await);
            tokio::time::sleep(APART).await;
        }
        let mut commits = Vec::new();
        for _ in 0..500 {
            let begun = Instant::now();
            self.commit().await;
            commits.push(begun.elapsed().as_secs_f64() * 1_000.0);
        }
        self.ended(&started).await;
        let mut late = Vec::new();
        for run_id in &started {
            let run = load::<Run>(&self.engine.log, run_id).await.unwrap().state;
            for (nth, phase) in run.phases.iter().enumerate().take(SECONDS - 1) {
                let at = self.nothing.asked.lock().unwrap()[&(run_id.clone(), format!("s{}", nth + 1))];
                late.push(milliseconds(at - phase.gate_due.unwrap()));
            }
        }
        let early = late.iter().filter(|late| **late < 0.0).count();
        let late_50 = quantile(&mut late, 50);
        let (late_99, commit_99) = (quantile(&mut late, 99), quantile(&mut commits, 99));
        let met = late_99 / commit_99 <= LATEST && early == 0;
        println!(
            "due to dispatched, p50 {late_50:.2} ms, p99 {late_99:.2} ms, of a durable commit, p99 {commit_99:.2} ms: {:.2} (at most {LATEST}), {early} early {}",
            late_99 / commit_99,
            verdict(met)
        );
        met
    }
}

fn milliseconds(span: TimeDelta) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "a few seconds at most")]
    let microseconds = span.num_microseconds().unwrap() as f64;
    microseconds / 1_000.0
}

fn quantile(figures: &mut [f64], percent: usize) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() * percent / 100]
}
