//! A projector that sleeps past its term with a batch in its hands.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use leasehold::engine::projector::{Pace, Projectors};
use leasehold_projections::runs::Runs;
use leasehold_projections::{Applying, Projection, SeenEvent, Table};
use sqlx::PgConnection;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use crate::bench::World;
use crate::history::History;

/// Runs, but the first batch that was read lies there until somebody wakes the projector.
struct Drowsy {
    told: Mutex<Option<Sender<()>>>,
    woken: Mutex<Option<Receiver<()>>>,
    applied: Arc<AtomicBool>,
}

impl Projection for Drowsy {
    fn name(&self) -> &'static str {
        Runs.name()
    }

    fn version(&self) -> u32 {
        Runs.version()
    }

    fn tables(&self) -> &'static [Table] {
        Runs.tables()
    }

    fn reads(&self, aggregate_type: &str) -> bool {
        if let Some(told) = self.told.lock().unwrap().take() {
            told.send(()).unwrap();
            let woken = self.woken.lock().unwrap().take().unwrap();
            tokio::task::block_in_place(|| woken.recv().unwrap());
        }
        Runs.reads(aggregate_type)
    }

    fn apply<'a>(&'a self, transaction: &'a mut PgConnection, events: &'a [SeenEvent]) -> Applying<'a> {
        self.applied.store(true, Ordering::SeqCst);
        Runs.apply(transaction, events)
    }
}

async fn start(history: &History, projection: Arc<dyn Projection>, holder: u128) -> (Projectors, TaskTracker, CancellationToken) {
    let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
    let pace = Pace { term: Duration::from_millis(150), batch: 500, pause: Duration::from_millis(20) };
    let holder = Uuid::from_u128(holder);
    let projectors = Projectors::start(&history.log, vec![projection], holder, &tasks, &stop, pace).await.unwrap();
    (projectors, tasks, stop)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn what_it_read_before_it_slept_is_not_applied_after_another_has_led() {
    let mut history = History::new().await;
    history.append_all(&World::new(71).commands(80)).await;
    let ((told, asleep), (wake, woken)) = (channel(), channel());
    let applied = Arc::new(AtomicBool::new(false));
    let drowsy = Drowsy { told: Mutex::new(Some(told)), woken: Mutex::new(Some(woken)), applied: applied.clone() };
    let (sleeper, sleepers_tasks, stop_sleeper) = start(&history, Arc::new(drowsy), 1).await;
    tokio::task::spawn_blocking(move || asleep.recv().unwrap()).await.unwrap();

    let (other, tasks, stop) = start(&history, Arc::new(Runs), 2).await;
    let patience = Duration::from_secs(60);
    other.wait_for("runs", history.head, patience).await.unwrap();
    wake.send(()).unwrap();
    sleeper.wait_for("runs", history.head, patience).await.unwrap();
    stop_sleeper.cancel();
    sleepers_tasks.close();
    sleepers_tasks.wait().await;
    assert!(!applied.load(Ordering::SeqCst), "its batch was refused before a single row was written");
    assert_eq!(sleeper.statuses()[0].stopped_at, None, "and it did not take the other's rows for a fault");
    stop.cancel();
    tasks.close();
    tasks.wait().await;
}
