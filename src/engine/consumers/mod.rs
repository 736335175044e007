//! Consumers: named readers of the log whose effects are commands. A command's id is derived from the consumer and the
//! position that caused it, so reading a position twice does nothing twice.

mod gatekeeper;
mod runner;
mod scheduler;

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use leasehold_aggregates::event::DecodeFault;
use tokio::sync::watch;

pub use gatekeeper::Gatekeeper;
pub use runner::Runner;
pub use scheduler::Scheduler;

use super::fault::told;
use super::leaders::Epochs;
use super::loops::Rest;
use super::streams::StreamFault;
use super::{Engine, Fault};
use crate::log::{CursorMove, Recorded};
use crate::telling::Heart;

/// Events read at once.
const BATCH: u32 = 500;
/// Pause before a position is tried again after trouble.
const PAUSE: Duration = Duration::from_millis(500);
/// Behind a batch that was not full.
const REST: Rest = Rest { least: Duration::from_millis(10), times: 2, longest: Duration::from_millis(40) };

/// A named reader of the log.
pub trait Consumer: Send + Sync + 'static {
    const NAME: &'static str;

    /// Whether this version knows such an event, if it is of a kind of stream that the consumer reads. What follows from
    /// one that it does not know cannot be judged: the consumer stays in front of it until a version comes that knows it.
    fn known(kind: &str, event_type: &str, version: &str) -> Result<(), DecodeFault>;

    /// Gives the commands that follow from this event. Called again for the same event after trouble, or after a
    /// change of leaders.
    fn handle(&self, engine: &Engine, event: &Arc<Recorded>) -> impl Future<Output = Result<(), Fault>> + Send;

    /// Gives the commands that follow from a batch, one event after the other unless the consumer has a better way. A fault
    /// that does not pass is told, and stands in the way of nothing behind it.
    fn handle_all(
        &self,
        engine: &Engine,
        events: &[Arc<Recorded>],
        heart: Option<&Heart>,
    ) -> impl Future<Output = Result<(), Fault>> + Send {
        async move {
            for event in events {
                match self.handle(engine, event).await {
                    Ok(()) => {}
                    Err(fault) if fault.passes() => return Err(fault),
                    Err(fault) => undone(Self::NAME, event.position, &fault),
                }
                if let Some(heart) = heart {
                    heart.beat();
                }
            }
            Ok(())
        }
    }
}

fn undone(consumer: &str, position: u64, fault: &Fault) {
    tracing::error!(consumer, position, error = %told(fault), "what follows from this event could not be done");
}

/// Glances without a word after which the log is looked at all the same.
const QUIET_GLANCES: u32 = 6;

/// Follows the log for as long as this process leads the consumer. What it has read to the end is read again when there is word
/// that the log has grown, or when it leads in another epoch: while nothing happens, nobody is asked.
pub async fn follow<C: Consumer>(engine: Engine, consumer: C, mut epochs: watch::Receiver<Epochs>) {
    let mut nudge = engine.log.subscribe();
    let (heart, glance) = (engine.pulse.heart(C::NAME), engine.patience().glance());
    let (mut at_head, mut quiet) = (None, 0);
    loop {
        let epoch = epochs.borrow_and_update().get(C::NAME).copied();
        nudge.borrow_and_update();
        let begun = Instant::now();
        let (wait, trouble) = match epoch {
            None => {
                heart.beat();
                at_head = None;
                (glance, false)
            }
            Some(epoch) if at_head == Some(epoch) => {
                heart.beat();
                (glance, false)
            }
            Some(epoch) => match read_on(&engine, &consumer, epoch, &heart).await {
                Ok(Read::Full) => continue,
                Ok(Read::Some(to)) => {
                    tokio::time::sleep(REST.behind(begun.elapsed())).await;
                    if nudge.borrow_and_update().is_some_and(|reached| reached > to) {
                        continue;
                    }
                    at_head = Some(epoch);
                    (glance, false)
                }
                Ok(read @ (Read::Nothing | Read::NotOurs)) => {
                    heart.beat();
                    at_head = Some(epoch).filter(|_| matches!(read, Read::Nothing));
                    (glance, false)
                }
                Err(fault) => {
                    tracing::warn!(consumer = C::NAME, error = %told(&fault), "a position is tried again");
                    (if fault.passes() { PAUSE } else { glance }, true)
                }
            },
        };
        tokio::select! {
            () = engine.stop.cancelled() => return,
            changed = epochs.changed() => if changed.is_err() { return },
            changed = nudge.changed(), if !trouble && epoch.is_some() => {
                if changed.is_err() {
                    return;
                }
                at_head = None;
            }
            () = tokio::time::sleep(wait) => {
                quiet += 1;
                // Word may have been lost, and a cursor with the server that had not written it down.
                if quiet % QUIET_GLANCES == 0 {
                    at_head = None;
                }
            }
        }
    }
}

/// What lies past a place.
enum Batch {
    Events(Vec<Arc<Recorded>>),
    /// The next event is not even a row that can be read, whoever wrote it, though its type is known: nothing follows from
    /// it here, and whoever needs its stream says so.
    Unreadable(u64),
}

async fn readable<C: Consumer>(engine: &Engine, after: u64) -> Result<Batch, Fault> {
    let recent = engine.log.recent_after(after, BATCH).await?;
    let mut events = Vec::with_capacity(recent.len());
    for event in &recent {
        match event.recorded() {
            Ok(recorded) => events.push(recorded),
            // What lies in front of it comes first.
            Err(_) if !events.is_empty() => break,
            Err(error) => {
                let text = &event.text;
                let position = text.position;
                C::known(&text.stream.aggregate_type, &text.event_type, &text.event_version)
                    .map_err(|why| unknown(position, why))?;
                tracing::error!(position, error = %told(&error), "an event that cannot be read is passed over");
                return Ok(Batch::Unreadable(position));
            }
        }
    }
    Ok(Batch::Events(events))
}

/// What one look has brought.
enum Read {
    /// The end of the log.
    Nothing,
    /// This process does not lead, or is not to do anything.
    NotOurs,
    /// All that there was, up to here.
    Some(u64),
    /// There may be more.
    Full,
}

/// Handles one batch. The cursor is read each time: who has lost the lead without noticing does nothing more.
async fn read_on<C: Consumer>(engine: &Engine, consumer: &C, epoch: u64, heart: &Heart) -> Result<Read, Fault> {
    let Some(cursor) = engine.log.cursor(C::NAME).await? else { return Ok(Read::NotOurs) };
    let move_to =
        async |to: u64| engine.log.move_cursor(&CursorMove { consumer: C::NAME.into(), epoch, from: cursor.position, to }).await;
    if cursor.epoch != epoch || engine.stop.is_cancelled() || engine.is_read_only() {
        return Ok(Read::NotOurs);
    }
    let mut events = match readable::<C>(engine, cursor.position).await? {
        Batch::Events(events) => events,
        Batch::Unreadable(position) => {
            move_to(position).await?;
            return Ok(Read::Full);
        }
    };
    let full = events.len() >= BATCH as usize;
    let odd = events.iter().enumerate().find_map(|(nth, event)| {
        let why = C::known(&event.stream.aggregate_type, &event.event_type, &event.event_version).err()?;
        Some((nth, event.position, why))
    });
    let more = full || odd.is_some();
    match odd {
        Some((0, position, why)) => return Err(unknown(position, why)),
        Some((nth, ..)) => events.truncate(nth),
        None => {}
    }
    let Some(last) = events.last().map(|event| event.position) else { return Ok(Read::Nothing) };
    consumer.handle_all(engine, &events, Some(heart)).await?;
    heart.beat();
    move_to(last).await?;
    Ok(if more { Read::Full } else { Read::Some(last) })
}

fn unknown(position: u64, source: DecodeFault) -> Fault {
    StreamFault::Undecodable { position, source }.into()
}
