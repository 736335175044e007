//! One batch: events past the cursor, their rows, and the cursor's move, in one transaction.

use std::error::Error;

use leasehold_projections::{Projection, ProjectionFault, SeenEvent};
use sqlx::{Connection, PgConnection};

use crate::log::{Log, LogError, Recorded};

/// What came of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Batch {
    /// The rows contain everything up to this position now.
    Moved(u64),
    /// There is nothing past the cursor.
    AtHead,
    /// Somebody else moved the cursor or leads now; nothing was written.
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

/// Where a projector stands.
#[derive(Clone, Copy)]
pub(super) struct Stand<'a> {
    pub log: &'a Log,
    pub projection: &'a dyn Projection,
    pub consumer: &'a str,
    pub epoch: u64,
    /// The last position that the rows contain.
    pub position: u64,
}

enum Applied {
    Yes,
    Lost,
}

impl Stand<'_> {
    /// Applies at most `limit` events. Where one of them cannot be used, those in front of it are applied; only when it
    /// is the very next is it [`BatchFault::Poison`].
    pub async fn batch(self, limit: u32) -> Result<Batch, BatchFault> {
        let mut limit = limit.max(1);
        loop {
            let events = match self.log.read_after(Some(self.position), limit).await {
                Ok(events) => events,
                Err(LogError::Undecodable { position, .. }) if self.is_next_and_not_ours(position).await? => {
                    return self.pass(position).await;
                }
                Err(LogError::Undecodable { position, why }) => {
                    limit = self.up_to(position, why.into())?;
                    continue;
                }
                Err(error) => return Err(BatchFault::Trouble(error.into())),
            };
            let (Some(first), Some(last)) = (events.first(), events.last()) else { return Ok(Batch::AtHead) };
            let (first, last, count) = (first.position, last.position, events.len());
            match self.apply(events, last).await {
                Ok(Applied::Yes) => return Ok(Batch::Moved(last)),
                Ok(Applied::Lost) => return Ok(Batch::Lost),
                Err(ProjectionFault::Event { position, source }) => limit = self.up_to(position, source.into())?,
                Err(fault) if fault.lasting() && count > 1 => limit = u32::try_from(count / 2).unwrap_or(1),
                Err(fault) if fault.lasting() => return Err(BatchFault::Poison { position: first, source: fault.into() }),
                Err(fault) => return Err(BatchFault::Trouble(fault.into())),
            }
        }
    }

    /// How many events lie in front of the one at `position`: positions are dense. None do: it is poison.
    fn up_to(&self, position: u64, source: Box<dyn Error + Send + Sync>) -> Result<u32, BatchFault> {
        match position.saturating_sub(self.position + 1) {
            0 => Err(BatchFault::Poison { position, source }),
            before => Ok(u32::try_from(before).unwrap_or(u32::MAX)),
        }
    }

    /// Whether the very next event is one that this projection has nothing to do with. What a raw writer spoiled in a
    /// stream that nobody here reads holds nothing up.
    async fn is_next_and_not_ours(&self, position: u64) -> Result<bool, BatchFault> {
        if position != self.position + 1 {
            return Ok(false);
        }
        let of = sqlx::query_scalar::<_, String>("select aggregate_type from public.events where position = $1");
        let of = of.bind(stored(position)).fetch_optional(self.log.pool()).await;
        let of = of.map_err(|error| BatchFault::Trouble(error.into()))?;
        Ok(of.is_some_and(|aggregate_type| !self.projection.reads(&aggregate_type)))
    }

    async fn pass(self, position: u64) -> Result<Batch, BatchFault> {
        match self.apply(Vec::new(), position).await {
            Ok(Applied::Yes) => Ok(Batch::Moved(position)),
            Ok(Applied::Lost) => Ok(Batch::Lost),
            Err(fault) => Err(BatchFault::Trouble(fault.into())),
        }
    }

    async fn apply(self, events: Vec<Recorded>, last: u64) -> Result<Applied, ProjectionFault> {
        let events: Vec<SeenEvent> =
            events.into_iter().filter(|event| self.projection.reads(&event.stream.aggregate_type)).map(seen).collect();
        let mut connection = self.log.pool().acquire().await?;
        let mut transaction = connection.begin().await?;
        if !self.lock_cursor(&mut transaction).await? {
            return Ok(Applied::Lost);
        }
        if !events.is_empty() {
            self.projection.apply(&mut transaction, &events).await?;
        }
        sqlx::query("update public.cursors set position = $2 where consumer = $1")
            .bind(self.consumer)
            .bind(stored(last))
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(Applied::Yes)
    }

    /// Keeps the cursor where it is until the transaction ends; false if it is not where the batch was read for.
    async fn lock_cursor(&self, connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        let locked = sqlx::query_scalar::<_, i32>(
            "select 1 from public.cursors where consumer = $1 and epoch = $2 and position = $3 for update",
        );
        let locked = locked.bind(self.consumer).bind(stored(self.epoch)).bind(stored(self.position));
        Ok(locked.fetch_optional(connection).await?.is_some())
    }
}

fn stored(place: u64) -> i64 {
    i64::try_from(place).unwrap_or(i64::MAX)
}

/// A recorded event as projections see it.
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
