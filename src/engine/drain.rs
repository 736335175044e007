//! The drain: takes up whatever is due, sleeps until the next due instant or a nudge. Any engine drains; an item is
//! carried out by whichever append takes it along first.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use uuid::Uuid;

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::Definition;
use leasehold_aggregates::run::Run;

use super::fault::told;
use super::materialise::MATERIALISE;
use super::{Engine, Fault};
use crate::log::Staged;

/// Items looked at at once.
const BATCH: u32 = 200;
/// Items carried out at once.
const AT_ONCE: usize = 12;
/// Pause after trouble.
const PAUSE: Duration = Duration::from_millis(500);

/// What this process is carrying out at the moment, by item and by stream: one at a time for each run.
#[derive(Default)]
struct Busy {
    items: HashSet<Uuid>,
    streams: HashSet<String>,
}

/// Drains until the engine stops.
pub async fn drain(engine: Engine) {
    let busy: Arc<Mutex<Busy>> = Arc::default();
    let slots = Arc::new(Semaphore::new(AT_ONCE));
    let finished = Arc::new(tokio::sync::Notify::new());
    let mut nudge = engine.log.subscribe();
    while !engine.stop.is_cancelled() {
        let next = match look(&engine, &busy, &slots, &finished).await {
            Ok(next) => next,
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
        }
    }
}

/// Starts on everything due that nobody here is at, and says how long to sleep.
async fn look<'a>(
    engine: &'a Engine,
    busy: &Arc<Mutex<Busy>>,
    slots: &Arc<Semaphore>,
    finished: &Arc<tokio::sync::Notify>,
) -> Result<impl Future<Output = ()> + 'a, Fault> {
    let now = engine.clock.now().await?;
    for item in engine.log.due(now, BATCH).await? {
        if !take(busy, &item) {
            continue;
        }
        let Ok(slot) = Arc::clone(slots).acquire_owned().await else { break };
        let (engine, busy, finished) = (engine.clone(), Arc::clone(busy), Arc::clone(finished));
        engine.clone().tasks.spawn(async move {
            let known = carry_out(&engine, &item).await;
            give_back(&busy, &item, known);
            drop(slot);
            finished.notify_one();
        });
    }
    let next = engine.log.next_due_after(now).await?;
    Ok(async move { engine.clock.until(next, now).await })
}

/// Carries the item out; whether anybody here knows what it means.
async fn carry_out(engine: &Engine, item: &Staged) -> bool {
    let done = match (item.stream.aggregate_type.as_str(), item.kind.as_str()) {
        (kind, _) if kind == Run::TYPE => engine.take_up(item).await,
        (kind, MATERIALISE) if kind == Definition::TYPE => look_at_definition(engine, item).await,
        (_, unknown) => Err(Fault::UnknownItem(unknown.to_owned())),
    };
    if let Err(fault) = done {
        if matches!(fault, Fault::UnknownItem(_)) {
            tracing::error!(id = %item.id, error = %told(&fault), "a staged item stays where it is");
            return false;
        }
        tracing::warn!(kind = item.kind, stream = %item.stream, error = %told(&fault), "a due item is tried again");
        tokio::time::sleep(PAUSE).await;
    }
    true
}

async fn look_at_definition(engine: &Engine, item: &Staged) -> Result<(), Fault> {
    engine.materialise(&item.stream.aggregate_id, &item.id.to_string()).await?;
    engine.log.drop_staged(item.id).await?;
    Ok(())
}

fn take(busy: &Mutex<Busy>, item: &Staged) -> bool {
    let mut busy = busy.lock().unwrap_or_else(PoisonError::into_inner);
    let stream = item.stream.to_string();
    if busy.streams.contains(&stream) || busy.items.contains(&item.id) {
        return false;
    }
    busy.streams.insert(stream);
    busy.items.insert(item.id)
}

/// What nobody knows is not looked at again by this process.
fn give_back(busy: &Mutex<Busy>, item: &Staged, known: bool) {
    let mut busy = busy.lock().unwrap_or_else(PoisonError::into_inner);
    busy.streams.remove(&item.stream.to_string());
    if known {
        busy.items.remove(&item.id);
    }
}
