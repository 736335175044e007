//! The drain: takes up whatever is due, sleeps until the next due instant or a nudge. Any engine drains; an item is
//! carried out by whichever append takes it along first.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, Semaphore};
use tracing::Instrument;
use uuid::Uuid;

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::Definition;
use leasehold_aggregates::run::Run;

use super::fault::told;
use super::figures::kind_of;
use super::materialise::MATERIALISE;
use super::{Engine, Fault};
use crate::log::Staged;

/// Items looked at at once.
const BATCH: u32 = 200;
/// Items carried out at once.
const AT_ONCE: usize = 12;
/// Pause after trouble that may pass.
const PAUSE: Duration = Duration::from_millis(500);
/// Pause before an item is tried again that fails for a reason of its own.
const LONG_PAUSE: Duration = Duration::from_secs(60);

/// What this process is at, by item and by stream: one at a time for each run. An item that fails for a reason of its own
/// stays among them for a while, so that it hides nothing behind it.
#[derive(Clone, Default)]
struct Busy(Arc<Mutex<Taken>>);

#[derive(Default)]
struct Taken {
    items: HashSet<Uuid>,
    streams: HashSet<String>,
}

/// How an item ended here.
enum Ended {
    Done,
    /// It may go better at once.
    Again,
    /// It may go better another time: its stream cannot be used now.
    Later,
    /// Nobody here knows what it means.
    Unknown,
}

/// Drains until the engine stops.
pub async fn drain(engine: Engine) {
    let busy = Busy::default();
    let slots = Arc::new(Semaphore::new(AT_ONCE));
    let finished = Arc::new(Notify::new());
    let mut nudge = engine.log.subscribe();
    let (heart, glance) = (engine.pulse.heart("drain"), engine.patience().glance());
    while !engine.stop.is_cancelled() && !engine.is_read_only() {
        let next = match look(&engine, &busy, &slots, &finished).await {
            Ok(next) => {
                heart.beat();
                next
            }
            Err(fault) => {
                tracing::warn!(error = %told(&fault), "what is due could not be looked at");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        tokio::select! {
            () = engine.stop.cancelled() => {}
            () = finished.notified() => {}
            changed = nudge.changed() => if changed.is_err() { return },
            () = next => {}
            () = tokio::time::sleep(glance) => {}
        }
    }
}

/// Starts on everything due that nobody here is at, and says how long to sleep.
async fn look<'a>(
    engine: &'a Engine,
    busy: &Busy,
    slots: &Arc<Semaphore>,
    finished: &Arc<Notify>,
) -> Result<impl Future<Output = ()> + 'a, Fault> {
    let now = engine.clock.now().await?;
    for item in engine.log.due_besides(now, BATCH, &busy.items()).await? {
        if !busy.take(&item) {
            continue;
        }
        let Ok(slot) = Arc::clone(slots).acquire_owned().await else { break };
        let (engine, busy, finished) = (engine.clone(), busy.clone(), Arc::clone(finished));
        engine.clone().tasks.spawn(async move {
            let span = tracing::debug_span!("due", kind = kind_of(&item.kind), stream = %item.stream);
            let ended = carry_out(&engine, &item).instrument(span).await;
            if matches!(ended, Ended::Again) {
                tokio::time::sleep(PAUSE).await;
            }
            busy.end(&item, &ended, &finished);
            drop(slot);
            finished.notify_one();
        });
    }
    let next = engine.log.next_due_after(now).await?;
    Ok(async move { engine.clock.until(next, now).await })
}

async fn carry_out(engine: &Engine, item: &Staged) -> Ended {
    let done = match (item.stream.aggregate_type.as_str(), item.kind.as_str()) {
        (kind, _) if kind == Run::TYPE => engine.take_up(item).await,
        (kind, MATERIALISE) if kind == Definition::TYPE => engine.look_at_definition(item).await,
        (_, unknown) => Err(Fault::UnknownItem(unknown.to_owned())),
    };
    let Err(fault) = done else { return Ended::Done };
    let (kind, stream, error) = (&item.kind, &item.stream, told(&fault));
    match fault {
        Fault::UnknownItem(_) => {
            tracing::error!(kind, %stream, error, "a staged item stays where it is");
            Ended::Unknown
        }
        fault if fault.passes() => {
            tracing::warn!(kind, %stream, error, "a due item is tried again");
            Ended::Again
        }
        _ => {
            tracing::error!(kind, %stream, error, "a due item cannot be carried out; it is tried again in a minute");
            Ended::Later
        }
    }
}

impl Busy {
    fn items(&self) -> Vec<Uuid> {
        self.taken(|taken| taken.items.iter().copied().collect())
    }

    fn take(&self, item: &Staged) -> bool {
        self.taken(|taken| {
            let free = taken.streams.insert(item.stream.to_string());
            if free {
                taken.items.insert(item.id);
            }
            free
        })
    }

    fn end(&self, item: &Staged, ended: &Ended, finished: &Arc<Notify>) {
        self.taken(|taken| taken.streams.remove(&item.stream.to_string()));
        match ended {
            Ended::Done | Ended::Again => {
                self.taken(|taken| taken.items.remove(&item.id));
            }
            Ended::Unknown => {}
            Ended::Later => {
                let (busy, id, finished) = (self.clone(), item.id, Arc::clone(finished));
                tokio::spawn(async move {
                    tokio::time::sleep(LONG_PAUSE).await;
                    busy.taken(|taken| taken.items.remove(&id));
                    finished.notify_one();
                });
            }
        }
    }

    fn taken<T>(&self, change: impl FnOnce(&mut Taken) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
