//! What giving back costs: round trips to a game for a thousand borrowed values; how long it takes to learn that a value is held
//! by another run, where a hundred thousand are held beside where a thousand are; and how long it takes to publish ten thousand
//! participants, beside showing the page of their run once. Every figure is printed with its limit; the exit code is 1 if one is
//! missed.

#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run ends there")]

#[path = "../ground/mod.rs"]
mod ground;
mod holder;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ground::Ground;
use holder::{Holder, VALUES};
use leasehold::engine::definitions::Wanted;
use leasehold::engine::runs::StartRequest;
use leasehold::engine::runs::people::Control;
use leasehold::engine::switches::SwitchRequest;
use leasehold::engine::{Act, Engine};
use leasehold_aggregates::account::Role;
use leasehold_aggregates::ledger::EntryStatus;
use leasehold_projections::run_view::RunView;
use serde_json::{Value, json};
use sqlx::Executor;

/// As the engine does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Round trips for each resource.
const TRIPS: f64 = 1.5;
/// With many held targets, of the time with few.
const FLAT: f64 = 1.5;
const FEW: u64 = 1_000;
const MANY: u64 = 100_000;
const TURNS: usize = 101;
const PARTICIPANTS: u64 = 10_000;
/// Publishing, of showing the run's page.
const PAGE: f64 = 1.0;
/// Steps of one run at most.
const STEPS: usize = 100;
const LOOK: Duration = Duration::from_millis(10);

/// With its teardown.
const CANCEL: Control = Control::Cancel { cleanup: true };

struct Bed {
    ground: Ground,
    engine: Engine,
    holder: Arc<Holder>,
}

#[tokio::main]
async fn main() -> ExitCode {
    let bed = Bed::made().await;
    let held = [bed.teardown().await, bed.results().await, conflicts().await];
    bed.over().await;
    if held.into_iter().all(|held| held) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A start that wants what another run holds, where few targets are held and where many are, in turns.
async fn conflicts() -> bool {
    let (with_few, with_many) = (Bed::made().await, Bed::made().await);
    let wants = (with_few.holding(FEW).await, with_many.holding(MANY).await);
    let (mut few, mut many) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        few.push(with_few.refused(&wants.0).await);
        many.push(with_many.refused(&wants.1).await);
    }
    let (few, many) = (median(few), median(many));
    println!("a start that is refused a held value: {few:.2} ms where {FEW} are held, {many:.2} ms where {MANY} are");
    with_few.over().await;
    with_many.over().await;
    told("with many held targets, of few", many / few, FLAT)
}

fn told(what: &str, figure: f64, limit: f64) -> bool {
    let held = figure <= limit;
    println!("{what:>40} {figure:>8.2}  limit {limit:.2}  {}", if held { "held" } else { "MISSED" });
    held
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn borrow(nth: usize) -> Value {
    json!({"key": format!("s{nth}"), "action": "core.lease",
        "params": {"lease": format!("demo.rate.{nth}"), "value": "2", "minutes": 60}})
}

impl Bed {
    async fn made() -> Self {
        let (ground, holder) = (Ground::laid().await, Arc::new(Holder::new()));
        let engine = ground.engine(vec![holder.clone()]);
        engine.run().await.unwrap();
        let bed = Self { ground, engine, holder };
        let request = SwitchRequest { action: "core.lease".into(), enabled: true, caps: None };
        bed.engine.switch(&bed.act().await, &request).await.unwrap();
        bed
    }

    async fn over(self) {
        self.engine.stop.cancel();
        self.ground.over().await;
    }

    async fn act(&self) -> Act {
        Act::by("bench", self.engine.clock.now().await.unwrap())
    }

    /// A published definition of these steps and an hour.
    async fn definition(&self, slug: &str, steps: &[Value]) -> String {
        let phases = json!([{"key": "all", "label": "All", "steps": steps, "advance": {"after": "1h"}}]);
        let body = json!({"title": "Borrowing", "slug": slug, "timezone": "UTC",
            "spec": {"schedule": {"kind": "manual"}, "params": [], "phases": phases}});
        let saved = self.engine.create_definition(&self.act().await, Role::Admin, &body).await.unwrap();
        self.engine.publish(&self.act().await, Role::Admin, &saved.id, &Wanted::Any).await.unwrap();
        saved.id
    }

    async fn started(&self, definition: &str) -> String {
        self.engine.start_by_hand(&self.act().await, definition, &StartRequest::default()).await.unwrap().run_id
    }

    async fn until(&self, run: &str, holds: impl Fn(&RunView) -> bool) {
        while !holds(&self.engine.run_view(run).await.unwrap()) {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// A thousand values are given back.
    async fn teardown(&self) -> bool {
        let mut runs = Vec::new();
        for (nth, values) in (0..VALUES).collect::<Vec<_>>().chunks(STEPS).enumerate() {
            let steps: Vec<Value> = values.iter().map(|value| borrow(*value)).collect();
            runs.push(self.started(&self.definition(&format!("run-{nth}"), &steps).await).await);
        }
        for run in &runs {
            let borrowed = |view: &RunView| view.resources.iter().filter(|held| held.status == EntryStatus::Confirmed).count();
            self.until(run, |view| borrowed(view) == STEPS).await;
        }
        assert_eq!(self.holder.trips(), VALUES as u64, "each was borrowed in one");
        let begun = Instant::now();
        for run in &runs {
            self.engine.control_run(&self.act().await, Role::Admin, run, &CANCEL, None).await.unwrap();
        }
        for run in &runs {
            self.until(run, |view| view.unresolved_resources == 0).await;
        }
        let (trips, values) = (u32::try_from(self.holder.trips()).unwrap(), u32::try_from(VALUES).unwrap());
        println!("{VALUES} values of {} runs are given back in {:.1} s", runs.len(), begun.elapsed().as_secs_f64());
        told("round trips a value", f64::from(trips) / f64::from(values), TRIPS)
    }

    /// Has so many targets held; gives a definition that wants one of them.
    async fn holding(&self, targets: u64) -> String {
        let steps: Vec<Value> = (0..STEPS).map(borrow).collect();
        let holder = self.started(&self.definition("holder", &steps).await).await;
        self.until(&holder, |view| view.steps.iter().all(|step| step.attempts > 0)).await;
        self.hold(&holder, targets).await;
        self.definition("wants", &[borrow(7)]).await
    }

    /// Copies what the run holds under other names until so many targets are held, and waits until whoever follows the log has read it.
    async fn hold(&self, run: &str, targets: u64) {
        let mut owner = self.ground.owner().await;
        owner.execute("alter table public.events disable trigger user").await.unwrap();
        sqlx::query(
            "with held as (
                 select e.*, row_number() over (order by e.position) as nth, count(*) over () as many,
                        row_number() over (partition by e.aggregate_id order by e.sequence) as step
                 from public.events e
                 where e.aggregate_type = 'ledger' and e.payload::text like '%' || $1 || '%' and e.aggregate_id !~ '-copy-'
             ), head as (select max(position) as position from public.events)
             insert into public.events
             select h.aggregate_type, h.aggregate_id || '-copy-' || $2 || '-' || k, h.step, h.event_type, h.event_version, h.payload,
                    h.metadata, head.position + k * h.many + h.nth, h.recorded_at, sha256('')
             from held h, head, generate_series(0, $3 - 1) as k",
        )
        .bind(run)
        .bind(targets.cast_signed())
        .bind((targets / STEPS as u64 - 1).cast_signed())
        .execute(&mut owner)
        .await
        .unwrap();
        for trigger in ["leasehold_1_enter", "leasehold_2_stamp", "leasehold_3_verify", "leasehold_4_refuse"] {
            let enable = format!("alter table public.events enable always trigger {trigger}");
            owner.execute(enable.as_str()).await.unwrap();
        }
        owner.execute("vacuum analyze public.events").await.unwrap();
        self.ground.read_by_all().await;
    }

    /// A start that is refused a value, in milliseconds.
    async fn refused(&self, definition: &str) -> f64 {
        let begun = Instant::now();
        let run = self.started(definition).await;
        let took = begun.elapsed().as_secs_f64() * 1_000.0;
        let view = self.engine.run_view(&run).await.unwrap();
        assert_eq!(view.steps[0].last_error.as_ref().unwrap().code, "held");
        took
    }

    /// Ten thousand have taken part.
    async fn results(&self) -> bool {
        let tell = json!({"key": "tell", "action": "demo.tell", "params": {"count": PARTICIPANTS}});
        let run = self.started(&self.definition("contest", &[tell]).await).await;
        self.until(&run, |view| view.participants_total == PARTICIPANTS).await;
        let begun = Instant::now();
        let view = self.engine.run_view(&run).await.unwrap();
        let page = begun.elapsed().as_secs_f64() * 1_000.0;
        assert!(view.summary.results_published_at.is_none());
        let begun = Instant::now();
        let committed = self.engine.publish_results(&self.act().await, &run).await.unwrap();
        let published = begun.elapsed().as_secs_f64() * 1_000.0;
        assert_eq!(committed.run.places.len() as u64, PARTICIPANTS);
        println!("{PARTICIPANTS} participants are published in {published:.0} ms, and their run is shown in {page:.0} ms");
        told("publishing, of showing the page", published / page, PAGE)
    }
}
