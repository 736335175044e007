//! Filling a projection in the foreground, where nobody serves.

use std::time::Duration;

use leasehold_projections::{Projection, prepare};
use uuid::Uuid;

use super::Pace;
use super::batch::{Batch, BatchFault, Stand};
use crate::engine::mint;
use crate::log::{Log, LogError};

/// Longer than any batch takes; a foreground fill that dies is followed after that.
const TERM: Duration = Duration::from_secs(60);

/// Why a projection could not be brought up to the head.
#[derive(Debug, thiserror::Error)]
pub enum CatchUpFault {
    #[error("another process leads {consumer}; it keeps the rows, or stop it first")]
    Led { consumer: String },
    #[error("{consumer} has stopped: the event at position {position} cannot be used")]
    Stopped { consumer: String, position: u64, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("the database did not carry out what the projection asked of it")]
    Trouble(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<LogError> for CatchUpFault {
    fn from(error: LogError) -> Self {
        Self::Trouble(error.into())
    }
}

/// Makes the projection's tables where they are missing and applies all that is recorded; says which position the rows
/// contain then. What is applied before a fault stays applied.
pub async fn catch_up(log: &Log, projection: &dyn Projection) -> Result<u64, CatchUpFault> {
    let trouble = |error: sqlx::Error| CatchUpFault::Trouble(error.into());
    let mut connection = log.pool().acquire().await.map_err(trouble)?;
    prepare(&mut connection, &[projection]).await.map_err(trouble)?;
    drop(connection);
    let (consumer, holder) = (projection.consumer(), mint::id());
    let Some(epoch) = log.acquire(&consumer, holder, TERM).await? else { return Err(CatchUpFault::Led { consumer }) };
    let reached = to_the_head(log, projection, &consumer, holder, epoch).await;
    log.release(&consumer, holder, epoch).await?;
    reached
}

async fn to_the_head(
    log: &Log,
    projection: &dyn Projection,
    consumer: &str,
    holder: Uuid,
    epoch: u64,
) -> Result<u64, CatchUpFault> {
    let mut position = log.cursor(consumer).await?.map_or(0, |cursor| cursor.position);
    loop {
        let stand = Stand { log, projection, consumer, epoch, position };
        match stand.batch(Pace::default().batch).await {
            Ok(Batch::Moved(to)) => position = to,
            Ok(Batch::AtHead) => return Ok(position),
            Ok(Batch::Lost) => return Err(CatchUpFault::Led { consumer: consumer.to_owned() }),
            Err(BatchFault::Poison { position, source }) => {
                return Err(CatchUpFault::Stopped { consumer: consumer.to_owned(), position, source });
            }
            Err(BatchFault::Trouble(source)) => return Err(CatchUpFault::Trouble(source)),
        }
        if !log.renew(consumer, holder, epoch, TERM).await? {
            return Err(CatchUpFault::Led { consumer: consumer.to_owned() });
        }
    }
}
