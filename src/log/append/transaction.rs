//! The transaction of an append: lock, look, check, write, commit; and what to do when the answer to the commit is lost.

use chrono::{DateTime, Utc};
use sqlx::{Executor, PgConnection, Postgres, Row, Transaction};
use uuid::Uuid;

use super::{Append, AppendError, Appended, check, insert};
use crate::log::error::{place, stored};
use crate::log::stream::{Head, StreamId};
use crate::log::{LOCK, Log, cursor, listeners, rows, staged};

impl Log {
    /// Writes the whole of `append`, or nothing.
    ///
    /// A command that committed before is answered with [`AppendError::AlreadyDone`] and the positions it made then.
    pub async fn append(&self, append: Append) -> Result<Appended, AppendError> {
        check::well_formed(&append)?;
        let mut transaction = self.locked().await?;
        let (appended, any) = write(&mut transaction, &append).await?;
        if let Err(lost) = transaction.commit().await {
            return self.after_lost_commit(append.command_id, lost).await;
        }
        if any {
            self.nudge.appended(appended.last);
        }
        Ok(appended)
    }

    /// A transaction that holds the log's lock: nobody else can append until it ends, and each of its statements sees all
    /// that was appended before.
    async fn locked(&self) -> Result<Transaction<'static, Postgres>, AppendError> {
        let mut transaction = self.pool().begin_with("begin isolation level read committed").await?;
        // The limit comes with the transaction, so that it holds behind a pooler that shares sessions, too.
        let wait = self.lock_wait.as_millis();
        let lock = format!("set local lock_timeout = {wait}; select pg_advisory_xact_lock({LOCK})");
        transaction.execute(lock.as_str()).await?;
        Ok(transaction)
    }

    /// The connection broke while the commit was under way. A transaction that still runs holds the lock; once we have
    /// it, the command's row says for certain what became of it.
    async fn after_lost_commit(&self, command_id: Uuid, lost: sqlx::Error) -> Result<Appended, AppendError> {
        tracing::warn!(error = %lost, %command_id, "the answer to a commit was lost; looking the command up");
        let unknown = |source| AppendError::Unknown { command_id, source };
        let found = async {
            let mut transaction = self.locked().await?;
            Ok::<_, AppendError>(look(&mut transaction, command_id).await?.done)
        };
        match found.await {
            Ok(Some(appended)) => {
                self.nudge.appended(appended.last);
                Ok(appended)
            }
            Ok(None) => Err(AppendError::Database(lost)),
            Err(AppendError::Busy(source) | AppendError::Database(source)) => Err(unknown(source)),
            Err(other) => Err(other),
        }
    }
}

/// All of the append but its commit; says where its events lie and whether it has any.
async fn write(connection: &mut PgConnection, append: &Append) -> Result<(Appended, bool), AppendError> {
    let seen = look(connection, append.command_id).await?;
    if let Some(appended) = seen.done {
        return Err(AppendError::AlreadyDone(appended));
    }
    streams_are_as_expected(connection, append).await?;
    let count = insert::events(connection, append, seen.head.as_ref(), seen.clock).await?;
    let next = seen.head.map_or(0, |head| head.position + 1);
    let last = (next + count).checked_sub(1).ok_or(AppendError::NotOpen)?;
    let appended = Appended { first: next.min(last), last };

    rows::write(connection, &append.rows).await?;
    staged::unstage(connection, &append.unstage).await?;
    staged::stage(connection, &append.stage).await?;
    listeners::unlisten(connection, &append.unlisten).await?;
    listeners::listen(connection, &append.listen).await?;
    if let Some(step) = &append.cursor {
        cursor::advance(connection, step).await?;
    }
    sqlx::query("insert into public.commands (command_id, first_position, last_position) values ($1, $2, $3)")
        .bind(append.command_id)
        .bind(stored(appended.first))
        .bind(stored(appended.last))
        .execute(connection)
        .await?;
    Ok((appended, count > 0))
}

/// What an append finds under the lock.
struct Seen {
    clock: DateTime<Utc>,
    head: Option<Head>,
    /// Set when this very command committed before.
    done: Option<Appended>,
}

async fn look(connection: &mut PgConnection, command_id: Uuid) -> Result<Seen, AppendError> {
    let row = sqlx::query(
        "select clock_timestamp() as clock, h.position, h.hash, h.recorded_at, c.first_position, c.last_position
         from (values (true)) as one
         left join (select e.position, e.hash, e.recorded_at from public.events e order by e.position desc limit 1) h on true
         left join public.commands c on c.command_id = $1",
    )
    .bind(command_id)
    .fetch_one(connection)
    .await?;
    let head = match row.try_get::<Option<i64>, _>("position")? {
        None => None,
        Some(position) => {
            Some(Head { position: place(position), hash: row.try_get("hash")?, recorded_at: row.try_get("recorded_at")? })
        }
    };
    let done = match row.try_get::<Option<i64>, _>("first_position")? {
        None => None,
        Some(first) => Some(Appended { first: place(first), last: place(row.try_get("last_position")?) }),
    };
    Ok(Seen { clock: row.try_get("clock")?, head, done })
}

/// Compares the end of every stream that the append writes or rests on with what the decision saw.
async fn streams_are_as_expected(connection: &mut PgConnection, append: &Append) -> Result<(), AppendError> {
    let written = append.writes.iter().map(|write| (&write.stream, write.expected));
    let required = append.requires.iter().map(|(stream, sequence)| (stream, *sequence));
    let named: Vec<(&StreamId, u64)> = written.chain(required).collect();
    let ends = stream_ends(connection, &named).await?;
    for (nth, ((stream, expected), actual)) in named.into_iter().zip(ends).enumerate() {
        if expected == actual {
            continue;
        }
        let stream = stream.clone();
        return Err(if nth < append.writes.len() {
            AppendError::Conflict { stream, expected, actual }
        } else {
            AppendError::Moved { stream, expected, actual }
        });
    }
    Ok(())
}

/// The last sequence of each stream, in their order; 0 where there is none.
async fn stream_ends(connection: &mut PgConnection, named: &[(&StreamId, u64)]) -> Result<Vec<u64>, sqlx::Error> {
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let types: Vec<&str> = named.iter().map(|(stream, _)| stream.aggregate_type.as_str()).collect();
    let ids: Vec<&str> = named.iter().map(|(stream, _)| stream.aggregate_id.as_str()).collect();
    let ends: Vec<i64> = sqlx::query_scalar(
        "select coalesce((select max(e.sequence) from public.events e
                          where e.aggregate_type = k.aggregate_type and e.aggregate_id = k.aggregate_id), 0)
         from unnest($1::text[], $2::text[]) with ordinality as k (aggregate_type, aggregate_id, nth)
         order by k.nth",
    )
    .bind(types)
    .bind(ids)
    .fetch_all(connection)
    .await?;
    Ok(ends.into_iter().map(place).collect())
}
