//! A batch as a transaction that holds the log's lock: taken when others write as well, when more than events and staged items
//! is to be written, and when the one statement was refused.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sqlx::{Executor, PgConnection};

use super::columns::{self, Columns};
use super::flush::flush;
use super::known::{self, Known};
use super::plan::{Plan, plan};
use super::trouble::Trouble;
use super::waiting::Prepared;
use super::{Append, AppendError, look, statement};
use crate::log::{RecordedText, crash, cursor, listeners, rows, staged};

/// Commits and hands the lock on without waiting for the disk, so that another engine writes meanwhile.
const HAND_ON: &str = "set local synchronous_commit = off; commit";

/// Writes what of the batch can be written, and says what that is, with the events as they stand in the log; `true` when others
/// have written, too.
///
/// A batch of one is written item by item, so that what is refused has its name.
pub(super) async fn carry<'a>(
    connection: &mut PgConnection,
    lock_wait: Duration,
    commands: &[&'a Prepared],
    known: &Mutex<Known>,
) -> Result<(Plan<'a>, Vec<RecordedText>, bool), Trouble> {
    let mut commit = false;
    match transaction(connection, lock_wait, commands, known, &mut commit).await {
        Ok(carried) => Ok(carried),
        Err(refused) => {
            let trouble = match refused {
                AppendError::Database(error) | AppendError::Busy(error) => Trouble::of(error, commit),
                other => Trouble::Refused(other),
            };
            if !matches!(trouble, Trouble::Lost { .. }) {
                connection.execute("rollback").await.map_err(|error| Trouble::Lost { error: Arc::new(error), sent: commit })?;
            }
            Err(trouble)
        }
    }
}

async fn transaction<'a>(
    connection: &mut PgConnection,
    lock_wait: Duration,
    commands: &[&'a Prepared],
    known: &Mutex<Known>,
    commit: &mut bool,
) -> Result<(Plan<'a>, Vec<RecordedText>, bool), AppendError> {
    let looked = look::locked(connection, lock_wait, commands, known).await?;
    look::unknown_ends(connection, commands, known).await?;
    let (plan, columns, newest) = {
        let mut known = known::of(known);
        let plan = plan(commands, &mut known, looked.seen);
        let (columns, newest) = columns::stamp(commands, &plan, known.head.as_ref(), looked.clock);
        (plan, columns, newest)
    };
    let events = columns.recorded();
    write(connection, commands, &plan, columns).await?;
    crash::point("batch.before_commit");
    *commit = true;
    // What another engine has committed may not be on disk yet either, when it is seen.
    if looked.others || looked.found {
        connection.execute(HAND_ON).await?;
        crash::point("batch.before_flush");
        flush(&mut *connection).await?;
    } else {
        connection.execute("commit").await?;
    }
    crash::point("batch.after_commit");
    let mut known = known::of(known);
    known.heard(looked.clock, Instant::now());
    known.committed(&plan.ends, newest);
    Ok((plan, events, looked.others))
}

async fn write(
    connection: &mut PgConnection,
    commands: &[&Prepared],
    plan: &Plan<'_>,
    columns: Columns<'_>,
) -> Result<(), AppendError> {
    let one_by_one = commands.len() == 1 || plan.events == 0;
    if plan.events == 0 {
        statement::write_commands(connection, columns).await?;
    } else {
        statement::write(connection, commands, plan, columns, !one_by_one).await?;
    }
    for (nth, _) in &plan.ahead {
        let append = &commands[*nth].append;
        rows::write(connection, &append.rows).await?;
        if one_by_one {
            staged::unstage(connection, &append.unstage).await?;
            staged::stage(connection, &append.stage).await?;
        }
        listen(connection, append).await?;
    }
    Ok(())
}

async fn listen(connection: &mut PgConnection, append: &Append) -> Result<(), AppendError> {
    listeners::unlisten(connection, &append.unlisten).await?;
    listeners::listen(connection, &append.listen).await?;
    match &append.cursor {
        Some(step) => cursor::advance(connection, step).await,
        None => Ok(()),
    }
}
