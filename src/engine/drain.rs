//! The drain: takes up whatever is due, sleeps until the next due instant or a nudge. Any engine drains; an item is
//! carried out by whichever append takes it along first.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, Semaphore, broadcast};
use tracing::Instrument;
use uuid::Uuid;

use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::definition::Definition;
use leasehold_aggregates::run::Run;

use super::fault::told;
use super::figures::kind_of;
use super::materialise::MATERIALISE;
use super::{Engine, Fault};
use crate::log::{Staged, StagedWord};

/// Items looked at at once.
const BATCH: u32 = 200;
/// Items carried out at once.
const AT_ONCE: usize = 12;
/// Looks at the time alone, before everything is looked at again without any word.
const BLIND_GLANCES: u32 = 6;
/// Pause after trouble that may pass.
const PAUSE: Duration = Duration::from_millis(500);
/// Pause before an item is tried again that fails for a reason of its own.
const LONG_PAUSE: Duration = Duration::from_secs(60);

/// What this process is at, by item and by stream: one at a time for each run. An item that fails for a reason of its own
/// stays among them for a while, so that it hides nothing behind it.
#[derive(Clone, Default)]
struct Busy {
    taken: Arc<Mutex<Taken>>,
    /// Something has ended: what waits for it may be looked at.
    ended: Arc<Notify>,
    /// Something that did not end well is to be looked at again.
    again: Arc<Notify>,
}

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
    let mut words = engine.log.staged_words();
    let (heart, glance) = (engine.pulse.heart("drain"), engine.patience().glance());
    while !engine.stop.is_cancelled() && !engine.is_read_only() {
        let seen = match look(&engine, &busy, &slots).await {
            Ok(seen) => {
                heart.beat();
                seen
            }
            Err(fault) => {
                tracing::warn!(error = %told(&fault), "what is due could not be looked at");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        for _ in 0..BLIND_GLANCES {
            if !all_quiet(&engine, &busy, &mut words, &seen, glance).await {
                break;
            }
            heart.beat();
        }
    }
}

/// Sleeps, a glance long at most; whether nothing has happened meanwhile that asks for a look.
async fn all_quiet(
    engine: &Engine,
    busy: &Busy,
    words: &mut broadcast::Receiver<StagedWord>,
    seen: &Seen,
    glance: Duration,
) -> bool {
    let Ok(now) = engine.clock.now().await else { return false };
    if now < seen.now || seen.next.is_some_and(|next| now >= next) {
        return false;
    }
    tokio::select! {
        () = engine.stop.cancelled() => false,
        () = busy.ended.notified(), if seen.left => false,
        () = busy.again.notified() => false,
        () = sooner(words, seen.next) => false,
        () = engine.clock.until(seen.next, now) => true,
        () = tokio::time::sleep(glance) => true,
    }
}

/// What one look has shown.
struct Seen {
    now: DateTime<Utc>,
    /// When the next item falls due that was not due then.
    next: Option<DateTime<Utc>>,
    /// Something that is due waits for something else to end here.
    left: bool,
}

/// Until there is word of an item that is due before `next`.
async fn sooner(words: &mut broadcast::Receiver<StagedWord>, next: Option<DateTime<Utc>>) {
    loop {
        match words.recv().await {
            Ok(StagedWord::Due(due)) if next.is_some_and(|next| due >= next) => {}
            Ok(_) | Err(RecvError::Lagged(_)) => return,
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}

/// Starts on everything due that nobody here is at, and says what is next.
async fn look(engine: &Engine, busy: &Busy, slots: &Arc<Semaphore>) -> Result<Seen, Fault> {
    let now = engine.clock.now().await?;
    let due = engine.log.due_besides(now, BATCH, &busy.items()).await?;
    let mut left = due.len() >= BATCH as usize;
    for item in due {
        if !busy.take(&item) {
            left = true;
            continue;
        }
        let Ok(slot) = Arc::clone(slots).acquire_owned().await else { break };
        let (engine, busy) = (engine.clone(), busy.clone());
        engine.clone().tasks.spawn(async move {
            let span = tracing::debug_span!("due", kind = kind_of(&item.kind), stream = %item.stream);
            let ended = carry_out(&engine, &item).instrument(span).await;
            if matches!(ended, Ended::Again) {
                tokio::time::sleep(PAUSE).await;
            }
            drop(slot);
            busy.end(&item, &ended);
        });
    }
    Ok(Seen { now, next: engine.log.next_due_after(now).await?, left })
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

    fn end(&self, item: &Staged, ended: &Ended) {
        self.taken(|taken| {
            taken.streams.remove(&item.stream.to_string());
            if matches!(ended, Ended::Done | Ended::Again) {
                taken.items.remove(&item.id);
            }
        });
        self.ended.notify_one();
        match ended {
            Ended::Done | Ended::Unknown => {}
            Ended::Again => self.again.notify_one(),
            Ended::Later => {
                let (busy, id) = (self.clone(), item.id);
                tokio::spawn(async move {
                    tokio::time::sleep(LONG_PAUSE).await;
                    busy.taken(|taken| taken.items.remove(&id));
                    busy.again.notify_one();
                });
            }
        }
    }

    fn taken<T>(&self, change: impl FnOnce(&mut Taken) -> T) -> T {
        change(&mut self.taken.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
