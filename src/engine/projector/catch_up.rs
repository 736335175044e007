//! Bringing a projection to the head in the foreground, where nobody serves.

use std::sync::Arc;
use std::time::Duration;

use leasehold_projections::generations::{building, prepare, serving};
use leasehold_projections::{Generation, Projection};
use tokio_util::sync::CancellationToken;

use super::batch::{Batch, BatchFault, Stand};
use super::{Build, BuildFault, Built, Pace, Reading};
use crate::engine::fault::told;
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

impl From<sqlx::Error> for CatchUpFault {
    fn from(error: sqlx::Error) -> Self {
        Self::Trouble(error.into())
    }
}

/// Makes the projection's tables where they are missing and applies all that is recorded; says which position the rows
/// contain then. What is applied before a fault stays applied.
pub async fn catch_up(log: &Log, projection: &Arc<dyn Projection>) -> Result<u64, CatchUpFault> {
    let mut connection = log.pool().acquire().await?;
    prepare(&mut connection, &[projection.as_ref()]).await?;
    let serving = serving(&mut connection, projection.as_ref()).await?;
    let building = if serving.is_none() { building(&mut connection, projection.as_ref()).await? } else { None };
    drop(connection);
    let Some(generation) = serving.or(building) else { return Err(sqlx::Error::RowNotFound.into()) };
    let (consumer, holder) = (generation.consumer(), mint::id());
    let Some(epoch) = log.acquire(&consumer, holder, TERM).await? else { return Err(CatchUpFault::Led { consumer }) };
    let built = if building.is_some() { built(log, projection, generation, epoch).await } else { Ok(()) };
    let reached = match built {
        Ok(()) => to_the_head(log, projection.as_ref(), generation, epoch).await,
        Err(fault) => Err(fault),
    };
    log.release(&consumer, holder, epoch).await?;
    reached
}

async fn built(log: &Log, projection: &Arc<dyn Projection>, generation: Generation, epoch: u64) -> Result<(), CatchUpFault> {
    let (pace, consumer) = (Pace::default(), generation.consumer());
    let (reading, window, pause) = (Reading::of(log), pace.building, pace.pause);
    let (log, projection) = (log.clone(), projection.clone());
    let build = Build { log, reading, projection, generation, epoch, window, pause, stop: CancellationToken::new() };
    match build.run().await {
        Ok(Built::Serves(_)) => Ok(()),
        Ok(Built::Lost | Built::Paused) => Err(CatchUpFault::Led { consumer }),
        Err(BuildFault::Stopped { position, source }) => Err(CatchUpFault::Stopped { consumer, position, source }),
        Err(BuildFault::Trouble(source)) => Err(CatchUpFault::Trouble(source)),
    }
}

async fn to_the_head(log: &Log, projection: &dyn Projection, generation: Generation, epoch: u64) -> Result<u64, CatchUpFault> {
    let consumer = generation.consumer();
    let mut position = log.cursor(&consumer).await?.map_or(0, |cursor| cursor.position);
    loop {
        let stand = Stand { log, projection, generation, epoch, position };
        match stand.batch(Pace::default().batch).await {
            Ok(Batch::Moved(to)) => position = to,
            Ok(Batch::AtHead) => return Ok(position),
            Ok(Batch::Lost) => return Err(CatchUpFault::Led { consumer }),
            Err(BatchFault::Poison { position, source }) => {
                stand.mark_stopped(position, &told(source.as_ref())).await?;
                return Err(CatchUpFault::Stopped { consumer, position, source });
            }
            Err(BatchFault::Trouble(source)) => return Err(CatchUpFault::Trouble(source)),
        }
    }
}
