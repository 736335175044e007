//! A projector that sleeps past its term with a batch in its hands.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use leasehold::engine::leaders::Term;
use leasehold::engine::projector::{Pace, ProjectorStatus, Projectors, Verdict, verify};
use leasehold::log::{Log, LogOptions};
use leasehold_projections::runs::Runs;
use leasehold_projections::{Folded, Folding, LoggedEvent, Memory, Place, Projection, ProjectionFault, Rows, Table};
use sqlx::PgConnection;
use sqlx::postgres::PgConnectOptions;
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

    fn streams(&self) -> &'static [&'static str] {
        Runs.streams()
    }

    fn folder(&self, memory: Memory) -> Box<dyn Folding> {
        if let Some(told) = self.told.lock().unwrap().take() {
            told.send(()).unwrap();
            let woken = self.woken.lock().unwrap().take().unwrap();
            woken.recv().unwrap();
        }
        Box::new(Noting { folder: Runs.folder(memory), applied: self.applied.clone() })
    }
}

/// Notes that something was folded into rows.
struct Noting {
    folder: Box<dyn Folding>,
    applied: Arc<AtomicBool>,
}

impl Folding for Noting {
    fn fold<'a>(&'a mut self, connection: &'a mut PgConnection, place: Place, events: &'a [&'a LoggedEvent]) -> Folded<'a> {
        self.applied.store(true, Ordering::SeqCst);
        self.folder.fold(connection, place, events)
    }

    fn rows(&mut self) -> Result<Rows, ProjectionFault> {
        self.folder.rows()
    }
}

const PATIENCE: Duration = Duration::from_secs(60);

async fn start(log: &Log, projection: Arc<dyn Projection>, holder: u128) -> (Projectors, TaskTracker, CancellationToken) {
    let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
    let pace = Pace { term: Term::of(Duration::from_millis(150)), pause: Duration::from_millis(20), ..Pace::default() };
    let holder = Uuid::from_u128(holder);
    let projectors = Projectors::start(log, vec![projection], holder, &tasks, &stop, pace).await.unwrap();
    (projectors, tasks, stop)
}

/// A process of one thread: when the projector sleeps, everything does. Tells how it stands once its rows have come to `head`.
fn sleeper(app: PgConnectOptions, drowsy: Drowsy, head: u64) -> JoinHandle<ProjectorStatus> {
    std::thread::spawn(move || {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
            let log = Log::connect(app, LogOptions::default()).await.unwrap();
            let (sleeper, tasks, stop) = start(&log, Arc::new(drowsy), 1).await;
            sleeper.wait_for("runs", head, PATIENCE).await.unwrap();
            stop.cancel();
            tasks.close();
            tasks.wait().await;
            sleeper.statuses().remove(0)
        })
    })
}

async fn sleeps_while_another_leads(serves_already: bool) {
    let mut history = History::new().await;
    if serves_already {
        history.catch_up().await;
    }
    history.append_all(&World::new(71).commands(80)).await;
    let ((told, asleep), (wake, woken)) = (channel(), channel());
    let applied = Arc::new(AtomicBool::new(false));
    let drowsy = Drowsy { told: Mutex::new(Some(told)), woken: Mutex::new(Some(woken)), applied: applied.clone() };
    let sleeper = sleeper(history.database.app(), drowsy, history.head);
    tokio::task::spawn_blocking(move || asleep.recv().unwrap()).await.unwrap();

    let (other, tasks, stop) = start(&history.log, Arc::new(Runs), 2).await;
    other.wait_for("runs", history.head, PATIENCE).await.unwrap();
    wake.send(()).unwrap();
    let status = tokio::task::spawn_blocking(|| sleeper.join().unwrap()).await.unwrap();
    assert!(!applied.load(Ordering::SeqCst), "its batch was refused before a single row was written");
    assert_eq!(status.stopped_at, None, "and it did not take the other's rows for a fault");
    stop.cancel();
    tasks.close();
    tasks.wait().await;
    let runs: Arc<dyn Projection> = Arc::new(Runs);
    assert_eq!(verify(&history.log, &runs, |_, _| {}).await.unwrap().verdict, Verdict::Equal);
}

#[tokio::test]
async fn what_it_read_before_it_slept_is_not_applied_after_another_has_led() {
    sleeps_while_another_leads(true).await;
}

#[tokio::test]
async fn what_it_was_building_when_it_fell_asleep_is_built_by_another() {
    sleeps_while_another_leads(false).await;
}
