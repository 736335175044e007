//! Durable cursors: how far a consumer has read. Moved by compare-and-set on position and epoch, never otherwise.

use sqlx::{PgConnection, Row};

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

    /// Moves a cursor by itself, past events that caused nothing. [`AppendError::CursorMoved`] when somebody else moved it
    /// or leads now.
    pub async fn move_cursor(&self, step: &CursorMove) -> Result<(), AppendError> {
        let mut connection = self.pool().acquire().await?;
        advance(&mut connection, step).await
    }
}

pub(super) async fn advance(connection: &mut PgConnection, step: &CursorMove) -> Result<(), AppendError> {
    let moved = sqlx::query("update public.cursors set position = $4 where consumer = $1 and epoch = $2 and position = $3")
        .bind(&step.consumer)
        .bind(stored(step.epoch))
        .bind(stored(step.from))
        .bind(stored(step.to))
        .execute(connection)
        .await?;
    if moved.rows_affected() == 1 {
        return Ok(());
    }
    Err(AppendError::CursorMoved { consumer: step.consumer.clone(), epoch: step.epoch, from: step.from })
}
