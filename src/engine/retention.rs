//! Retention of the words in a run's log, where the operator bounds it.
//!
//! **What goes.** The notes of runs that are over: their status is final, everything they took is given back, no step's
//! answer is awaited, and the event that ended them is older than the policy says. What a game answered, attempt by
//! attempt, is most of them. A run that is over is told from the log as before; where words were, it says that they were
//! erased. A run that is not over keeps all of its words, however old.
//!
//! **What stays.** Events: always, all. The rows of `commands`: always, too. A command's id may come back as late as anybody
//! may rewind a cursor, for a consumer's ids follow from its name and a position, and it must then find that the command was
//! carried out; nothing but the log's own age bounds that. Drafts and accounts are not of a run. The feed of a game lies with
//! its sidecar; no rows of one are here.
//!
//! **Pace.** One engine leads, by a row, and follows the log behind the policy's age. It looks at up to 200 events at a time,
//! one batch a second, and deletes a batch's notes together with the move of its cursor: whoever lost the lead in between
//! deletes nothing.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::run::{CleanupStatus, Run};
use leasehold_projections::{SeenEvent, story};
use tokio::sync::watch;
use uuid::Uuid;

use super::fault::told;
use super::leaders::Epochs;
use super::projector::seen;
use super::streams::{Loaded, fold, stream};
use super::{Engine, Fault};
use crate::log::{AppendError, CursorMove, EventHead, LogError};
use crate::telling::{Heart, catalogue as c};

/// The consumer's name.
pub const NAME: &str = "retention";

/// Events looked at in one transaction.
const BATCH: u32 = 200;
/// Pause between two batches.
const PACE: Duration = Duration::from_secs(1);
/// The events after which a run may be over.
const ENDS: [&str; 6] = ["run_completed", "run_failed", "run_cancelled", "run_missed", "run_withdrawn", "cleanup_completed"];

/// What one look came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// The cursor moved, and so many notes went.
    Moved { notes: u64 },
    /// The next event is not old enough before then.
    Young { until: DateTime<Utc> },
    /// There is nothing past the cursor.
    AtHead,
    /// Another engine leads.
    Lost,
}

/// Prunes what is older than `days` until the engine stops, whenever this engine leads.
pub async fn keep(engine: Engine, days: u32, mut epochs: watch::Receiver<Epochs>) {
    let heart = engine.pulse.heart(NAME);
    loop {
        let epoch = epochs.borrow_and_update().get(NAME).copied();
        tokio::select! {
            () = engine.stop.cancelled() => return,
            changed = epochs.changed() => if changed.is_err() { return },
            () = turn(&engine, days, epoch, &heart) => {}
        }
    }
}

/// One look, and the rest after it. It may be dropped at any point: what is begun then is not done.
async fn turn(engine: &Engine, days: u32, epoch: Option<u64>, heart: &Heart) {
    let glance = engine.patience().glance();
    let looked = async {
        let now = engine.clock.now().await?;
        let Some(epoch) = epoch else { return Ok((now, Look::Lost)) };
        Ok::<_, Fault>((now, look(engine, days, epoch, now).await?))
    };
    let (wait, due) = match looked.await {
        Ok((now, look)) => {
            heart.beat();
            match look {
                Look::Moved { .. } => (PACE.min(glance), None),
                Look::Young { until } => (glance, Some((until, now))),
                Look::AtHead | Look::Lost => (glance, None),
            }
        }
        Err(fault) => {
            tracing::warn!(error = %told(&fault), "what is past its keeping is looked at again");
            (glance, None)
        }
    };
    let due = async {
        match due {
            Some((until, now)) => engine.clock.until(Some(until), now).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = tokio::time::sleep(wait) => {}
        () = due => {}
    }
}

/// Looks at the next events that are old enough at `now`, and prunes the notes of every run that one of them ended.
pub async fn look(engine: &Engine, days: u32, epoch: u64, now: DateTime<Utc>) -> Result<Look, Fault> {
    let Some(cursor) = engine.log.cursor(NAME).await?.filter(|cursor| cursor.epoch == epoch) else { return Ok(Look::Lost) };
    let age = TimeDelta::days(i64::from(days));
    let heads = engine.log.heads_after(cursor.position, BATCH).await?;
    let Some(first) = heads.first() else { return Ok(Look::AtHead) };
    let old: Vec<&EventHead> = heads.iter().take_while(|head| head.at + age <= now).collect();
    let Some(last) = old.last() else { return Ok(Look::Young { until: first.at + age }) };
    let ended = old.iter().filter(|head| head.stream.aggregate_type == Run::TYPE && ENDS.contains(&head.event_type.as_str()));
    let mut notes = BTreeSet::new();
    for run in ended.map(|head| head.stream.aggregate_id.as_str()).collect::<BTreeSet<_>>() {
        notes.extend(spent(engine, run, now - age).await?);
    }
    let step = CursorMove { consumer: NAME.to_owned(), epoch, from: cursor.position, to: last.position };
    let gone = match engine.log.prune_notes(&step, &Vec::from_iter(notes)).await {
        Ok(gone) => gone,
        Err(AppendError::CursorMoved { .. }) => return Ok(Look::Lost),
        Err(error) => return Err(error.into()),
    };
    if gone > 0 {
        c::PRUNED.add(&[], gone);
        tracing::info!(notes = gone, through = last.position, days, "notes of runs that are long over were deleted");
    }
    Ok(Look::Moved { notes: gone })
}

/// The notes of a run that is over, as far as they are of before `limit`. A run that this version cannot read keeps its own.
async fn spent(engine: &Engine, id: &str, limit: DateTime<Utc>) -> Result<Vec<Uuid>, Fault> {
    let recorded = match engine.log.load(&stream::<Run>(id)).await {
        Ok(recorded) => recorded,
        Err(error @ LogError::Database(_)) => return Err(error.into()),
        Err(error) => return Ok(unreadable(id, &error)),
    };
    let run: Loaded<Run> = match fold(id, recorded.clone()) {
        Ok(run) => run,
        Err(error) => return Ok(unreadable(id, &error)),
    };
    if !over(&run.state) {
        return Ok(Vec::new());
    }
    let old: Vec<SeenEvent> = recorded.into_iter().map(seen).filter(|event| event.at() <= limit).collect();
    Ok(story::notes_of(&old))
}

fn unreadable(id: &str, error: &(dyn std::error::Error + 'static)) -> Vec<Uuid> {
    tracing::error!(run = id, error = %told(error), "a run that cannot be read keeps its notes");
    Vec::new()
}

/// Whether nothing of the run can still happen or be asked for.
fn over(run: &Run) -> bool {
    let clean = matches!(run.cleanup, CleanupStatus::NotRequired | CleanupStatus::Complete);
    run.status.terminal() && clean && run.live_claims().next().is_none()
}
