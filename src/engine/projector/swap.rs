//! The change from one generation to the next: one transaction.

use leasehold_projections::{LoggedEvent, Memory, generations};
use sqlx::{Connection, PgConnection};

use super::batch::{BatchFault, Stand, stored, texts};
use crate::engine::crash;

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Swap {
    Done,
    /// Another leads, or the generation is gone; nothing has changed.
    Lost,
}

impl Stand<'_> {
    /// Lets the generation serve. The cursor of the one that did is held meanwhile and what lies between the two is applied
    /// first, so that nobody who has read a position finds the rows behind it afterwards.
    pub async fn swap(self) -> Result<Swap, BatchFault> {
        let mut connection = self.log.pool().acquire().await.map_err(BatchFault::trouble)?;
        let mut transaction = connection.begin().await.map_err(BatchFault::trouble)?;
        let serving = self.hold_the_one_that_serves(&mut transaction).await.map_err(BatchFault::trouble)?;
        if !self.lock_cursor(&mut transaction).await.map_err(BatchFault::trouble)? {
            return Ok(Swap::Lost);
        }
        self.close_the_gap(&mut transaction, serving.unwrap_or(0)).await?;
        generations::serve(&mut transaction, self.projection, self.generation).await.map_err(BatchFault::trouble)?;
        // What serves is no passing state of rows that could be written again: this commit is waited for on disk.
        let durable = sqlx::query("set local synchronous_commit to default").execute(&mut *transaction).await;
        durable.map_err(BatchFault::trouble)?;
        crash::point("rebuild.swap");
        transaction.commit().await.map_err(BatchFault::trouble)?;
        Ok(Swap::Done)
    }

    /// Where the generation that serves stands, with its cursor held until the transaction ends.
    async fn hold_the_one_that_serves(&self, connection: &mut PgConnection) -> Result<Option<u64>, sqlx::Error> {
        let Some(serving) = generations::serving(connection, self.projection).await? else { return Ok(None) };
        let held = sqlx::query_scalar::<_, i64>("select position from public.cursors where consumer = $1 for update");
        Ok(held.bind(serving.consumer()).fetch_optional(connection).await?.map(i64::unsigned_abs))
    }

    async fn close_the_gap(&self, connection: &mut PgConnection, through: u64) -> Result<(), BatchFault> {
        if through <= self.position {
            return Ok(());
        }
        let events = texts(self.log, self.projection, self.position, through).await?;
        let events: Vec<&LoggedEvent> = events.iter().collect();
        let (mut folder, place) = (self.projection.folder(Memory::Rows), self.generation.place());
        folder.fold(connection, place, &events).await.map_err(BatchFault::trouble)?;
        let rows = folder.rows().map_err(BatchFault::trouble)?;
        rows.write(connection, place).await.map_err(BatchFault::trouble)?;
        self.move_cursor(connection, through).await.map_err(BatchFault::trouble)
    }
}

/// Whether the database knows the generation as the one that serves: what a lost answer to the commit leaves open.
pub(super) async fn serves(stand: Stand<'_>) -> Result<bool, sqlx::Error> {
    let mut connection = stand.log.pool().acquire().await?;
    Ok(generations::serving(&mut connection, stand.projection).await? == Some(stand.generation))
}

/// Where the generation stands now, in the same epoch; none if another leads or it is gone.
pub(super) async fn again(stand: Stand<'_>) -> Result<Option<u64>, sqlx::Error> {
    let position = sqlx::query_scalar::<_, i64>("select position from public.cursors where consumer = $1 and epoch = $2");
    let position = position.bind(stand.generation.consumer()).bind(stored(stand.epoch)).fetch_optional(stand.log.pool()).await?;
    Ok(position.map(i64::unsigned_abs))
}
