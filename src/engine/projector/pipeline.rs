//! Many batches at once: one task reads ahead, one folds, and this one writes. Rows are written in the order of the log, a
//! transaction for each batch, and a stream's row once for each batch that touches it.

use std::sync::Arc;

use leasehold_projections::{Memory, Place, Projection, ProjectionFault, Rows};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinSet;

use super::batch::{BatchFault, Stand};
use super::reading::{Member, Page, Reading};
use crate::engine::crash;
use crate::log::Log;

/// Batches that wait in front of each task. What is remembered of lately touched streams rests on it: when a batch is folded,
/// at most two in front of it are not written yet.
const AHEAD: usize = 1;

/// Batches of which no row is made that are passed by in one go.
const PASSED: u64 = 16;

/// Why the pipeline ended.
pub(super) enum Flow {
    /// The rows contain everything up to where it was to go.
    Through,
    /// Another leads, or the generation is gone.
    Lost,
    /// Something in the next batch cannot be used; batch by batch it will be found out what.
    Refused,
}

struct Folded {
    through: u64,
    rows: Rows,
}

/// Applies everything past the stand and up to `through`, `window` positions a transaction; `told` hears where the rows
/// are after each.
pub(super) async fn pump(
    mut stand: Stand<'_>,
    projection: &Arc<dyn Projection>,
    reading: &Reading,
    through: u64,
    window: u32,
    told: &(dyn Fn(u64) + Sync),
) -> Result<Flow, BatchFault> {
    let ((pages, read), (done, mut folded)) = (channel(AHEAD), channel(AHEAD));
    // They end with this function, however it ends.
    let mut tasks = JoinSet::new();
    tasks.spawn(read_ahead(reading.join(projection.streams(), stand.position, through, u64::from(window)), pages));
    tasks.spawn(fold(stand.log.clone(), projection.clone(), stand.generation.place(), read, done));
    // What was folded and gives no rows.
    let mut passed = stand.position;
    while let Some(next) = folded.recv().await {
        let next = match next {
            Ok(next) => next,
            Err(fault) if fault.lasting() => {
                if passed > stand.position && stand.write(&Rows::default(), passed, || {}).await.map_err(BatchFault::trouble)? {
                    told(passed);
                }
                return Ok(Flow::Refused);
            }
            Err(fault) => return Err(BatchFault::trouble(fault)),
        };
        passed = next.through;
        if next.rows.is_empty() && passed < through && passed - stand.position < u64::from(window) * PASSED {
            continue;
        }
        let begun = stand.position > 0;
        let die = || {
            if begun {
                crash::point("rebuild.batch");
            }
        };
        match stand.write(&next.rows, next.through, die).await.map_err(ProjectionFault::Database) {
            Ok(true) => stand.position = next.through,
            Ok(false) => return Ok(Flow::Lost),
            Err(fault) if fault.lasting() => return Ok(Flow::Refused),
            Err(fault) => return Err(BatchFault::trouble(fault)),
        }
        told(stand.position);
    }
    while let Some(ended) = tasks.join_next().await {
        ended.map_err(BatchFault::trouble)??;
    }
    Ok(Flow::Through)
}

/// Reads and folds all that this projection is made from up to `through`, and writes nothing: whether this program can use
/// every event, and how long it takes. All states are kept in memory meanwhile. Says how many events there were.
pub async fn rehearse(
    log: &Log,
    projection: &Arc<dyn Projection>,
    reading: &Reading,
    through: u64,
    window: u32,
) -> Result<u64, RehearsalFault> {
    let (pages, mut read) = channel(AHEAD);
    let mut reader = JoinSet::new();
    reader.spawn(read_ahead(reading.join(projection.streams(), 0, through, u64::from(window)), pages));
    let mut folder = projection.folder(Memory::Everything);
    let mut connection = log.pool().acquire().await.map_err(ProjectionFault::Database)?;
    let mut count = 0;
    while let Some(page) = read.recv().await {
        let events = page.events();
        folder.fold(&mut connection, Place::Scratch, &events).await?;
        count += events.len() as u64;
    }
    while let Some(ended) = reader.join_next().await {
        ended.map_err(|error| RehearsalFault::Read(error.into()))?.map_err(|fault| RehearsalFault::Read(fault.into()))?;
    }
    Ok(count)
}

/// Why a rehearsal did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum RehearsalFault {
    #[error("the log cannot be folded")]
    Fold(#[from] ProjectionFault),
    #[error("the log could not be read")]
    Read(#[source] Box<dyn std::error::Error + Send + Sync>),
}

async fn read_ahead(mut member: Member, pages: Sender<Page>) -> Result<(), BatchFault> {
    while let Some(page) = member.next().await.map_err(BatchFault::trouble)? {
        if pages.send(page).await.is_err() {
            return Ok(());
        }
    }
    Ok(())
}

async fn fold(
    log: Log,
    projection: Arc<dyn Projection>,
    place: Place,
    mut pages: Receiver<Page>,
    done: Sender<Result<Folded, ProjectionFault>>,
) -> Result<(), BatchFault> {
    let mut folder = projection.folder(Memory::Own);
    let mut connection = log.pool().acquire().await.map_err(BatchFault::trouble)?;
    while let Some(page) = pages.recv().await {
        let (through, events) = (page.through, page.events());
        let rows = folder.fold(&mut connection, place, &events).await.and_then(|()| folder.rows());
        let ends = rows.is_err();
        if done.send(rows.map(|rows| Folded { through, rows })).await.is_err() || ends {
            return Ok(());
        }
    }
    Ok(())
}
