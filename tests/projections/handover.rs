//! Projectors that die, sleep, lose their connections, or are two: nothing is applied twice and nothing left out.

use std::sync::Arc;
use std::time::Duration;

use leasehold::engine::leaders::Term;
use leasehold::engine::projector::{NotReached, Pace, Projectors, catch_up};
use leasehold::log::{Log, LogOptions};
use leasehold_projections::Projection;
use leasehold_projections::runs::Runs;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::bench::World;
use crate::history::History;

/// Long enough for anything that ends at all.
const PATIENCE: Duration = Duration::from_secs(60);

/// Small batches and short terms, so that much happens between two of them.
fn pace() -> Pace {
    Pace {
        term: Term::of(Duration::from_millis(600)),
        batch: 7,
        building: 9,
        pause: Duration::from_millis(20),
        ..Pace::default()
    }
}

struct Running {
    projectors: Projectors,
    tasks: TaskTracker,
    stop: CancellationToken,
}

async fn start(log: &Log, holder: u128) -> Running {
    let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
    let all = leasehold_projections::all();
    let projectors = Projectors::start(log, all, Uuid::from_u128(holder), &tasks, &stop, pace()).await.unwrap();
    Running { projectors, tasks, stop }
}

impl Running {
    async fn reach(&self, position: u64) {
        for projection in leasehold_projections::all() {
            self.projectors.wait_for(projection.name(), position, PATIENCE).await.unwrap();
        }
    }

    /// Until this process leads every projection: the rows may be there sooner, by whoever built them.
    async fn lead(&self) {
        let all_lead = || self.projectors.statuses().iter().all(|status| status.leads);
        let led = async {
            while !all_lead() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(PATIENCE, led).await.unwrap();
    }

    async fn stop(self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

/// The rows that this history should come to.
async fn expected(commands: &[Vec<crate::bench::Fact>]) -> Vec<String> {
    let mut history = History::new().await;
    history.append_all(commands).await;
    history.catch_up().await;
    history.rows().await
}

#[tokio::test]
async fn projectors_follow_the_log_and_hand_over_when_they_stop() {
    let commands = World::new(31).commands(300);
    let mut history = History::new().await;
    for (nth, some) in commands.chunks(40).enumerate() {
        let running = start(&history.log, nth as u128 + 1).await;
        history.append_all(some).await;
        running.reach(history.head).await;
        running.lead().await;
        assert!(running.projectors.statuses().iter().all(|status| status.stopped_at.is_none()));
        running.stop().await;
    }
    assert_eq!(history.rows().await, expected(&commands).await);
}

#[tokio::test]
async fn a_projector_that_is_killed_between_any_two_batches_is_followed_by_another() {
    let commands = World::new(32).commands(400);
    let mut history = History::new().await;
    history.append_all(&commands).await;
    for kill_at in [20, 90, 200] {
        let app = history.database.app();
        let killed = std::thread::spawn(move || {
            let runtime = Runtime::new().unwrap();
            runtime.block_on(async {
                let log = Log::connect(app, LogOptions::default()).await.unwrap();
                let running = start(&log, kill_at.into()).await;
                running.reach(kill_at).await;
            });
            runtime.shutdown_background();
        });
        tokio::task::spawn_blocking(|| killed.join().unwrap()).await.unwrap();
    }
    let running = start(&history.log, 1).await;
    running.reach(history.head).await;
    running.stop().await;
    assert_eq!(history.rows().await, expected(&commands).await);
}

#[tokio::test]
async fn two_engines_keep_one_set_of_rows_and_each_may_be_asked() {
    let commands = World::new(33).commands(300);
    let mut history = History::new().await;
    let other_log = history.database.log().await;
    let (one, other) = (start(&history.log, 1).await, start(&other_log, 2).await);
    let (first, second) = commands.split_at(commands.len() / 2);
    history.append_all(first).await;
    one.reach(history.head).await;
    other.reach(history.head).await;
    for (one, other) in one.projectors.statuses().iter().zip(other.projectors.statuses()) {
        assert!(!(one.leads && other.leads), "one of them leads {}", one.name);
    }
    one.stop().await;
    history.append_all(second).await;
    other.reach(history.head).await;
    other.stop().await;
    assert_eq!(history.rows().await, expected(&commands).await);
}

#[tokio::test]
async fn sessions_that_are_ended_under_way_cost_nothing_but_time() {
    let commands = World::new(34).commands(400);
    let mut history = History::new().await;
    history.append_all(&commands).await;
    let projectors_log = history.database.log().await;
    let running = start(&projectors_log, 1).await;
    let mut owner = history.database.owner().await;
    for reached in [50, 120, 260] {
        running.projectors.wait_for("runs", reached, PATIENCE).await.ok();
        let end = "select pg_terminate_backend(pid) from pg_stat_activity
                   where datname = current_database() and application_name = 'leasehold' and pid <> pg_backend_pid()";
        sqlx::query(end).execute(&mut owner).await.unwrap();
    }
    let fresh = history.database.log().await;
    let looking = start(&fresh, 2).await;
    looking.reach(history.head).await;
    running.stop().await;
    looking.stop().await;
    history.log = fresh;
    assert_eq!(history.rows().await, expected(&commands).await);
}

#[tokio::test]
async fn a_foreground_fill_does_not_push_a_leader_aside() {
    let mut history = History::new().await;
    history.append_all(&World::new(35).commands(20)).await;
    let running = start(&history.log, 1).await;
    running.lead().await;
    let runs: Arc<dyn Projection> = Arc::new(Runs);
    let refused = catch_up(&history.log, &runs).await.unwrap_err();
    assert!(
        refused
            .to_string()
            .contains(&format!("another process leads projection/runs/{}/1", leasehold_projections::runs::VERSION)),
        "{refused}"
    );
    running.stop().await;
    history.catch_up().await;
}

#[tokio::test]
async fn waiting_has_an_end_and_says_how_far_the_rows_are() {
    let mut history = History::new().await;
    history.append_all(&World::new(36).commands(20)).await;
    let running = start(&history.log, 1).await;
    running.reach(history.head).await;
    let beyond = history.head + 1;
    let late = running.projectors.wait_for("runs", beyond, Duration::from_millis(1)).await.unwrap_err();
    assert!(matches!(late, NotReached::Late { stands, asked, .. } if stands == history.head && asked == beyond), "{late}");
    let unknown = running.projectors.wait_for("nope", 1, PATIENCE).await.unwrap_err();
    assert!(matches!(unknown, NotReached::Unknown(_)), "{unknown}");
    running.stop().await;
}

#[tokio::test]
async fn the_first_start_on_a_database_may_be_two_at_once() {
    let mut history = History::new().await;
    history.append_all(&World::new(37).commands(20)).await;
    let log = Arc::new(history.database.log().await);
    let (one, other) = tokio::join!(start(&history.log, 1), start(&log, 2));
    one.reach(history.head).await;
    one.stop().await;
    other.stop().await;
}
