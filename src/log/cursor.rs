//! Durable cursors: how far a consumer has read. Moved by compare-and-set on position and epoch, never otherwise.

use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{PgConnection, Postgres, Row};

use super::Log;
use super::append::AppendError;
use super::error::{LogError, place, stored};

/// A consumer's place in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The last position that it has dealt with. It starts at 0, the opening of the log.
    pub position: u64,
    /// Epoch of the leader that may move it.
    pub epoch: u64,
}

/// One move of a cursor, valid in one epoch and from one position only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CursorMove {
    pub consumer: String,
    /// The epoch in which the mover leads, as [`Log::acquire`] gave it.
    pub epoch: u64,
    pub from: u64,
    pub to: u64,
}

impl Log {
    /// Where the consumer is; none if nobody ever led it.
    pub async fn cursor(&self, consumer: &str) -> Result<Option<Cursor>, LogError> {
        let row = sqlx::query("select position, epoch from public.cursors where consumer = $1")
            .bind(consumer)
            .fetch_optional(self.pool())
            .await?;
        row.map(|row| Ok(Cursor { position: place(row.try_get("position")?), epoch: place(row.try_get("epoch")?) })).transpose()
    }

    /// Puts a consumer that nobody ever led behind all that is in the log; one that has a cursor keeps it.
    pub async fn begin_cursor_at_head(&self, consumer: &str) -> Result<(), LogError> {
        let begin = sqlx::query(
            "insert into public.cursors (consumer, position, epoch) select $1, coalesce(max(position), 0), 1 from public.events
             on conflict do nothing",
        );
        begin.bind(consumer).execute(self.pool()).await?;
        Ok(())
    }

    /// Every consumer with its cursor, by name.
    pub async fn cursors(&self) -> Result<Vec<(String, Cursor)>, LogError> {
        let rows =
            sqlx::query_as::<_, (String, i64, i64)>("select consumer, position, epoch from public.cursors order by consumer");
        let cursor = |(consumer, position, epoch)| (consumer, Cursor { position: place(position), epoch: place(epoch) });
        Ok(rows.fetch_all(self.pool()).await?.into_iter().map(cursor).collect())
    }

    /// Sets a cursor back: what lies behind `position` is read again. None where there is no such consumer; false where it is
    /// not past that place. It is another epoch then: whoever leads finds its next move refused, hears of it with its next
    /// term, and reads on from there.
    pub async fn rewind_cursor(&self, consumer: &str, position: u64) -> Result<Option<bool>, LogError> {
        let set_back = sqlx::query(
            "with anew as (
                 update public.leadership set epoch = epoch + 1
                 where consumer = $1 and exists (select from public.cursors where consumer = $1 and position > $2)
                 returning epoch
             )
             update public.cursors set position = $2, epoch = coalesce((select epoch from anew), epoch)
             where consumer = $1 and position > $2",
        );
        let set_back = set_back.bind(consumer).bind(stored(position)).execute(self.pool()).await?;
        if set_back.rows_affected() == 1 {
            return Ok(Some(true));
        }
        Ok(self.cursor(consumer).await?.map(|_| false))
    }

    /// Moves a cursor by itself, past events of which everything that follows is done. It is not waited for on disk: a move
    /// that is lost with the server is made again, and what follows from an event twice is done once.
    /// [`AppendError::CursorMoved`] when somebody else moved it or leads now.
    pub async fn move_cursor(&self, step: &CursorMove) -> Result<(), AppendError> {
        let mut connection = self.pool().acquire().await?;
        moved(step, sqlx::query(RELAXED), &mut connection).await
    }
}

const MOVE: &str = "update public.cursors set position = $4 where consumer = $1 and epoch = $2 and position = $3";
const RELAXED: &str = "update public.cursors set position = $4
                       from (select set_config('synchronous_commit', 'off', true) as setting) relaxed
                       where consumer = $1 and epoch = $2 and position = $3 and relaxed.setting = 'off'";

/// Moves it along with the append that is under way.
pub(super) async fn advance(connection: &mut PgConnection, step: &CursorMove) -> Result<(), AppendError> {
    moved(step, sqlx::query(MOVE), connection).await
}

async fn moved<'a>(
    step: &'a CursorMove,
    query: Query<'a, Postgres, PgArguments>,
    connection: &mut PgConnection,
) -> Result<(), AppendError> {
    let query = query.bind(&step.consumer).bind(stored(step.epoch)).bind(stored(step.from)).bind(stored(step.to));
    if query.execute(connection).await?.rows_affected() == 1 {
        return Ok(());
    }
    Err(AppendError::CursorMoved { consumer: step.consumer.clone(), epoch: step.epoch, from: step.from })
}
