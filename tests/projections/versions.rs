//! Two versions of one projection side by side, and a program that learns an event.

use std::sync::Arc;
use std::time::{Duration, Instant};

use leasehold::engine::leaders::Term;
use leasehold::engine::projector::{Pace, Projectors, Standing, State, standings};
use leasehold::log::Log;
use leasehold_projections::Projection;
use leasehold_projections::ledger::Ledger;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::bench::World;
use crate::counted::Counted;
use crate::history::History;

const PATIENCE: Duration = Duration::from_secs(60);

struct Program {
    projectors: Projectors,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Program {
    async fn start(log: &Log, projections: Vec<Arc<dyn Projection>>, holder: u128, keep: Duration) -> Self {
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        let (term, pause) = (Term::of(Duration::from_millis(600)), Duration::from_millis(20));
        let pace = Pace { term, pause, keep, batch: 11, building: 13, ..Pace::default() };
        let holder = Uuid::from_u128(holder);
        let projectors = Projectors::start(log, projections, holder, &tasks, &stop, pace).await.unwrap();
        Self { projectors, tasks, stop }
    }

    async fn reach(&self, position: u64) {
        self.projectors.wait_for("counted", position, PATIENCE).await.unwrap();
    }

    async fn stop(self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

async fn count(history: &History, table: &str) -> i64 {
    sqlx::query_scalar(&format!("select count(*) from {table}")).fetch_one(history.log.pool()).await.unwrap()
}

async fn of_runs(history: &History) -> i64 {
    count(history, "public.events where aggregate_type = 'run'").await
}

async fn kept(history: &History) -> Vec<(u32, u32, State)> {
    let all = standings(history.log.pool()).await.unwrap();
    all.into_iter().filter(|one| one.name == "counted").map(|one| (one.version, one.generation, one.state)).collect()
}

async fn until_kept(history: &History, wanted: &[(u32, u32, State)]) {
    let start = Instant::now();
    while kept(history).await != wanted {
        assert!(start.elapsed() < PATIENCE, "{:?}", kept(history).await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The only generation of the counted projection.
async fn counted(history: &History) -> Standing {
    standings(history.log.pool()).await.unwrap().into_iter().find(|one| one.name == "counted").unwrap()
}

async fn until_kept_as(history: &History, wanted: impl Fn(&Standing) -> bool) {
    let start = Instant::now();
    while !wanted(&counted(history).await) {
        assert!(start.elapsed() < PATIENCE, "{:?}", counted(history).await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn version(version: u32) -> Vec<Arc<dyn Projection>> {
    vec![Arc::new(Counted::version(version))]
}

#[tokio::test]
async fn an_older_program_goes_on_beside_a_newer_one_and_its_rows_go_when_it_is_gone() {
    let mut history = History::new().await;
    let commands = World::new(91).commands(300);
    let (before, after) = commands.split_at(commands.len() / 2);
    history.append_all(before).await;
    let old = Program::start(&history.log, version(1), 1, PATIENCE).await;
    old.reach(history.head).await;
    let new = Program::start(&history.log, version(2), 2, PATIENCE).await;
    new.reach(history.head).await;
    history.append_all(after).await;
    old.reach(history.head).await;
    new.reach(history.head).await;
    assert_eq!(kept(&history).await, [(1, 1, State::Serving), (2, 1, State::Serving)]);
    let events = of_runs(&history).await;
    for view in ["projections.counted_v1", "projections.counted_v2"] {
        assert_eq!(count(&history, view).await, events, "{view}");
    }
    old.stop().await;
    new.stop().await;
    let new = Program::start(&history.log, version(2), 3, Duration::ZERO).await;
    until_kept(&history, &[(2, 1, State::Serving)]).await;
    new.stop().await;
    let old = Program::start(&history.log, version(1), 4, PATIENCE).await;
    old.reach(history.head).await;
    assert_eq!(count(&history, "projections.counted_v1").await, events, "and built again for one that comes back");
    assert!(kept(&history).await.contains(&(1, 2, State::Serving)), "under a number that was never used");
    old.stop().await;
}

#[tokio::test]
async fn a_program_that_knows_the_event_applies_it_once_and_goes_on() {
    let mut history = History::new().await;
    let ignorant =
        || -> Vec<Arc<dyn Projection>> { vec![Arc::new(Counted::version(1).ignorant_of("run_sung")), Arc::new(Ledger)] };
    let old = Program::start(&history.log, ignorant(), 1, PATIENCE).await;
    history.append_all(&World::new(92).commands(60)).await;
    old.reach(history.head).await;
    let poison = history.raw(("run", "r0"), "run_sung", "1", "{}", "{}").await;
    history.append_all(&World::new(93).commands(1)).await;
    old.projectors.wait_for("counted", poison, PATIENCE).await.unwrap_err();
    old.projectors.wait_for("ledger", history.head, PATIENCE).await.unwrap();
    until_kept_as(&history, |one| one.led_by.is_none()).await;
    let standing = counted(&history).await;
    assert_eq!((standing.position, standing.stopped_at), (poison - 1, Some(poison)));

    let new = Program::start(&history.log, version(1), 2, PATIENCE).await;
    // Until it leads, it knows no better than that somebody stopped.
    until_kept_as(&history, |one| one.stopped_at.is_none()).await;
    new.reach(history.head).await;
    assert_eq!(count(&history, "projections.counted_v1").await, of_runs(&history).await);
    let standing = counted(&history).await;
    assert_eq!((standing.position, standing.stopped_at), (history.head, None));
    old.reach(history.head).await;
    new.stop().await;
    old.stop().await;
}

#[tokio::test]
async fn a_version_that_is_poisoned_does_not_serve_beside_one_that_does() {
    let mut history = History::new().await;
    history.append_all(&World::new(94).commands(60)).await;
    let old = Program::start(&history.log, version(1), 1, PATIENCE).await;
    old.reach(history.head).await;
    let poison = history.raw(("run", "r0"), "run_sung", "1", "{}", "{}").await;
    old.reach(poison).await;
    let new: Vec<Arc<dyn Projection>> = vec![Arc::new(Counted::version(2).ignorant_of("run_sung"))];
    let new = Program::start(&history.log, new, 2, PATIENCE).await;
    let start = Instant::now();
    let stopped = loop {
        let building = new.projectors.statuses().remove(0).building;
        if let Some(stopped) = building.filter(|building| building.stopped_at.is_some()) {
            break stopped;
        }
        assert!(start.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!((stopped.stopped_at, stopped.position), (Some(poison), poison - 1));
    assert_eq!(kept(&history).await, [(1, 1, State::Serving), (2, 1, State::Building)]);
    new.stop().await;
    old.stop().await;
}
