//! One batch: events past the cursor, their rows, and the cursor's move, in one transaction.

use std::error::Error;

use leasehold_projections::{Generation, LoggedEvent, Memory, Projection, ProjectionFault, Rows, SeenEvent};
use sqlx::{Connection, PgConnection};
use tracing::Instrument;

use crate::log::{Log, Recorded, RecordedText};

/// What came of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Batch {
    /// The rows contain everything up to this position now.
    Moved(u64),
    /// There is nothing past the cursor.
    AtHead,
    /// Somebody else moved the cursor or leads now, or the generation is gone; nothing was written.
    Lost,
}

/// Why a batch did not happen.
#[derive(Debug, thiserror::Error)]
pub(super) enum BatchFault {
    /// This event cannot be used, by this program, ever.
    #[error("the event at position {position} stops the projection")]
    Poison { position: u64, source: Box<dyn Error + Send + Sync> },
    #[error("the database did not carry out what the projection asked of it")]
    Trouble(#[source] Box<dyn Error + Send + Sync>),
}

impl BatchFault {
    pub fn trouble(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Trouble(error.into())
    }
}

/// Where a generation stands, in the hands of its leader.
#[derive(Clone, Copy)]
pub(super) struct Stand<'a> {
    pub log: &'a Log,
    pub projection: &'a dyn Projection,
    pub generation: Generation,
    pub epoch: u64,
    /// The last position that the rows contain.
    pub position: u64,
}

impl Stand<'_> {
    /// Applies what lies within the next `limit` positions. Where an event cannot be used, those in front of it are
    /// applied; only when it is the very next is it [`BatchFault::Poison`].
    pub async fn batch(self, limit: u32) -> Result<Batch, BatchFault> {
        let recent = self.log.recent_after(self.position, limit.max(1)).await.map_err(BatchFault::trouble)?;
        let Some(last) = recent.last().map(|event| event.text.position) else { return Ok(Batch::AtHead) };
        let mut limit = last - self.position;
        loop {
            let through = self.position + limit;
            let ours = |text: &&RecordedText| {
                text.position <= through && self.projection.streams().contains(&text.stream.aggregate_type.as_str())
            };
            let events: Vec<_> = recent.iter().map(|event| &event.text).filter(ours).cloned().map(logged).collect();
            let span = tracing::debug_span!("projection", consumer = self.generation.consumer(), events = events.len(), through);
            match self.apply(&events, through).instrument(span).await {
                Ok(true) => return Ok(Batch::Moved(through)),
                Ok(false) => return Ok(Batch::Lost),
                Err(ProjectionFault::Event { position, source }) if position > self.position => {
                    limit = self.up_to(position, source.into())?;
                }
                // A value that the database refuses, or a row whose own state cannot be read: the event is one of these.
                Err(fault) if fault.lasting() && through > self.position + 1 => limit = (through - self.position) / 2,
                Err(fault) if fault.lasting() => return Err(BatchFault::Poison { position: through, source: fault.into() }),
                Err(fault) => return Err(BatchFault::trouble(fault)),
            }
        }
    }

    /// How many events lie in front of the one at `position`: positions are dense. None do: it is poison.
    fn up_to(&self, position: u64, source: Box<dyn Error + Send + Sync>) -> Result<u64, BatchFault> {
        match position.saturating_sub(self.position + 1) {
            0 => Err(BatchFault::Poison { position, source }),
            before => Ok(before),
        }
    }

    async fn apply(self, events: &[LoggedEvent], through: u64) -> Result<bool, ProjectionFault> {
        let mut folder = self.projection.folder(Memory::Rows);
        let mut connection = self.log.pool().acquire().await?;
        if events.is_empty() {
            return Ok(self.pass_by(&mut connection, through).await?);
        }
        let mut transaction = connection.begin().await?;
        if !self.lock_cursor(&mut transaction).await? {
            return Ok(false);
        }
        let events: Vec<&LoggedEvent> = events.iter().collect();
        folder.fold(&mut transaction, self.generation.place(), &events).await?;
        folder.rows()?.write(&mut transaction, self.generation.place()).await?;
        self.move_cursor(&mut transaction, through).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Writes what was folded elsewhere from the events up to `through`; false if the cursor is not where they began.
    pub async fn write(self, rows: &Rows, through: u64, before_commit: impl FnOnce() + Send) -> Result<bool, sqlx::Error> {
        let mut connection = self.log.pool().acquire().await?;
        if rows.is_empty() {
            return self.pass_by(&mut connection, through).await;
        }
        let mut transaction = connection.begin().await?;
        // Moved first, the cursor stays locked while the rows are written.
        if !self.pass_by(&mut transaction, through).await? {
            return Ok(false);
        }
        rows.write(&mut transaction, self.generation.place()).await?;
        before_commit();
        transaction.commit().await?;
        Ok(true)
    }

    /// Keeps the cursor where it is until the transaction ends; false if it is not where the batch was read for. The
    /// commit is not waited for on disk: rows and cursor are lost together or not at all.
    pub async fn lock_cursor(&self, connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        let locked = sqlx::query_scalar::<_, String>(
            "select set_config('synchronous_commit', 'off', true)
             from public.cursors where consumer = $1 and epoch = $2 and position = $3 for update",
        );
        let locked = locked.bind(self.generation.consumer()).bind(stored(self.epoch)).bind(stored(self.position));
        Ok(locked.fetch_optional(connection).await?.is_some())
    }

    /// Moves the cursor, which is where the batch was read for; false if it is not. Not waited for on disk, either.
    async fn pass_by(&self, connection: &mut PgConnection, through: u64) -> Result<bool, sqlx::Error> {
        let passed = sqlx::query(
            "with moved as (
                 update public.cursors set position = $4
                 from (select set_config('synchronous_commit', 'off', true) as setting) relaxed
                 where consumer = $1 and epoch = $2 and position = $3 and relaxed.setting = 'off' returning 1
             ), told as (
                 update projections.generations set stopped_at = null, stopped_why = null
                 where name = $5 and version = $6 and generation = $7 and stopped_at is not null and exists (select from moved)
             )
             select from moved",
        )
        .bind(self.generation.consumer())
        .bind(stored(self.epoch))
        .bind(stored(self.position))
        .bind(stored(through))
        .bind(self.generation.name)
        .bind(i64::from(self.generation.version))
        .bind(i64::from(self.generation.number));
        Ok(passed.fetch_optional(connection).await?.is_some())
    }

    /// Moves the locked cursor. What was said of an event that could not be used does not hold any more.
    pub async fn move_cursor(&self, connection: &mut PgConnection, to: u64) -> Result<(), sqlx::Error> {
        sqlx::query(
            "with moved as (update public.cursors set position = $2 where consumer = $1)
             update projections.generations set stopped_at = null, stopped_why = null
             where name = $3 and version = $4 and generation = $5 and stopped_at is not null",
        )
        .bind(self.generation.consumer())
        .bind(stored(to))
        .bind(self.generation.name)
        .bind(i64::from(self.generation.version))
        .bind(i64::from(self.generation.number))
        .execute(connection)
        .await?;
        Ok(())
    }

    /// Puts down that the event at `position` cannot be used, for whoever asks.
    pub async fn mark_stopped(&self, position: u64, why: &str) -> Result<(), sqlx::Error> {
        sqlx::query(
            "update projections.generations g set stopped_at = $6, stopped_why = $7 from public.cursors c
             where c.consumer = $1 and c.epoch = $2 and g.name = $3 and g.version = $4 and g.generation = $5",
        )
        .bind(self.generation.consumer())
        .bind(stored(self.epoch))
        .bind(self.generation.name)
        .bind(i64::from(self.generation.version))
        .bind(i64::from(self.generation.number))
        .bind(stored(position))
        .bind(why)
        .execute(self.log.pool())
        .await?;
        Ok(())
    }
}

/// What the projection is made from, past `after` and up to `through`.
pub(super) async fn texts(
    log: &Log,
    projection: &dyn Projection,
    after: u64,
    through: u64,
) -> Result<Vec<LoggedEvent>, BatchFault> {
    let texts = log.read_texts(projection.streams(), after, through).await.map_err(BatchFault::trouble)?;
    Ok(texts.into_iter().map(logged).collect())
}

pub(super) fn logged(text: RecordedText) -> LoggedEvent {
    LoggedEvent {
        position: text.position,
        recorded_at: text.recorded_at,
        aggregate_type: text.stream.aggregate_type,
        aggregate_id: text.stream.aggregate_id,
        sequence: text.sequence,
        event_type: text.event_type,
        event_version: text.event_version,
        payload: text.payload,
        metadata: text.metadata,
    }
}

pub(super) fn stored(place: u64) -> i64 {
    i64::try_from(place).unwrap_or(i64::MAX)
}

/// A recorded event as stories see it.
pub(crate) fn seen(recorded: Recorded) -> SeenEvent {
    SeenEvent {
        position: recorded.position,
        recorded_at: recorded.recorded_at,
        aggregate_type: recorded.stream.aggregate_type,
        aggregate_id: recorded.stream.aggregate_id,
        sequence: recorded.sequence,
        event_type: recorded.event_type,
        event_version: recorded.event_version,
        payload: recorded.payload,
        metadata: recorded.metadata,
    }
}
