//! Telling each caller what became of its command, and nobody else.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use sqlx::PgPool;
use uuid::Uuid;

use super::flush::flush;
use super::plan::Verdicts;
use super::trouble::Trouble;
use super::waiting::Waiting;
use super::{AppendError, Appended};
use crate::log::error::place;

/// Answers a batch that has committed. Refusals that were not looked up may be repeats of commands that are done: that is
/// found out first, beside the task, which has the next batch to carry.
pub(super) fn tell(pool: &PgPool, batch: Vec<Waiting>, verdicts: Verdicts, looked_up: bool) {
    let mut waiting: BTreeMap<usize, Waiting> = batch.into_iter().enumerate().collect();
    for (nth, appended) in verdicts.ahead {
        if let Some(waiting) = waiting.remove(&nth) {
            waiting.tell(Ok(appended));
        }
    }
    let refused: Vec<(Waiting, AppendError)> =
        verdicts.refused.into_iter().filter_map(|(nth, refused)| Some((waiting.remove(&nth)?, refused))).collect();
    if looked_up || refused.is_empty() {
        for (waiting, refused) in refused {
            waiting.tell(Err(refused));
        }
    } else {
        tokio::spawn(tell_refused(pool.clone(), refused));
    }
}

async fn tell_refused(pool: PgPool, refused: Vec<(Waiting, AppendError)>) {
    let ids: Vec<Uuid> = refused.iter().map(|(waiting, _)| waiting.command.append.command_id).collect();
    let done = sqlx::query_as("select command_id, first_position, last_position from public.commands where command_id = any($1)");
    let done: Result<Vec<(Uuid, i64, i64)>, _> = done.bind(ids).fetch_all(&pool).await;
    let done = match done {
        // Another engine's commit is seen before it is on disk.
        Ok(done) if !done.is_empty() => flush(&pool).await.map(|()| done),
        looked => looked,
    };
    match done.map_err(Arc::new) {
        Ok(done) => {
            for (waiting, refused) in refused {
                let made = done.iter().find(|(id, ..)| *id == waiting.command.append.command_id);
                let made = made.map(|(_, first, last)| Appended { first: place(*first), last: place(*last) });
                waiting.tell(Err(made.map_or(refused, AppendError::AlreadyDone)));
            }
        }
        Err(error) => {
            for (waiting, _) in refused {
                waiting.tell(Err(AppendError::Database(Arc::clone(&error))));
            }
        }
    }
}

/// Answers a batch of which nothing, or nothing that is known of, was written. Breaks off where the database is away.
pub(super) fn failed(batch: Vec<Waiting>, trouble: &Trouble) -> ControlFlow<()> {
    for waiting in batch {
        let command_id = waiting.command.append.command_id;
        waiting.tell(Err(match trouble {
            Trouble::Behind | Trouble::Refused(_) => AppendError::Busy(Arc::new(sqlx::Error::PoolTimedOut)),
            Trouble::Busy(error) | Trouble::Away(error) => AppendError::Busy(Arc::clone(error)),
            Trouble::Lost { error, sent: false } => AppendError::Database(Arc::clone(error)),
            Trouble::Lost { error, sent: true } => AppendError::Unknown { command_id, source: Arc::clone(error) },
        }));
    }
    if matches!(trouble, Trouble::Away(_)) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
