//! Building a generation beside the one that serves, until it serves itself.

use std::sync::Arc;
use std::time::Duration;

use leasehold_projections::{Generation, Projection, generations};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::Post;
use super::batch::{Batch, BatchFault, Stand};
use super::lookout::Looked;
use super::pipeline::{Flow, pump};
use super::reading::Reading;
use super::standing::State;
use super::swap::{Swap, again, serves};
use crate::engine::crash;
use crate::engine::fault::told;
use crate::log::Log;

/// How often something is tried again after trouble with the database, before it is left to the next leader.
const TRIES: u32 = 5;

/// One generation in the hands of the leader of its consumer.
#[derive(Clone)]
pub struct Build {
    pub log: Log,
    /// Shared with whatever else is built at the same time.
    pub reading: Reading,
    pub projection: Arc<dyn Projection>,
    pub generation: Generation,
    /// The epoch in which the builder leads.
    pub epoch: u64,
    /// Positions of one transaction, at least 1.
    pub window: u32,
    /// Pause before something is tried again.
    pub pause: Duration,
    pub stop: CancellationToken,
}

/// How a build ended, where nothing is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Built {
    /// It serves now, and its rows contain this position.
    Serves(u64),
    /// Another builds it now, or it was given up.
    Lost,
    /// This process was asked to stop; whoever leads next goes on.
    Paused,
}

/// Why a generation does not come to serve. What is built stays, for whoever goes on.
#[derive(Debug, thiserror::Error)]
pub enum BuildFault {
    #[error("the event at position {position} cannot be used by this program, so what is built does not come to serve")]
    Stopped { position: u64, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("the database did not carry out what the projection asked of it")]
    Trouble(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Build {
    /// Fills the tables from wherever the last builder has left them, makes their indexes, catches up, and swaps.
    pub async fn run(&self) -> Result<Built, BuildFault> {
        let mut tries = TRIES;
        loop {
            let lost = match self.attempt().await {
                Ok(built) => return Ok(built),
                Err(BatchFault::Poison { position, source }) => match self.stands_alone(position).await {
                    Ok(Some(built)) => return Ok(built),
                    Ok(None) => return Err(self.stopped(position, source).await),
                    Err(fault) => fault.into(),
                },
                Err(BatchFault::Trouble(source)) => source,
            };
            tries -= 1;
            if tries == 0 {
                return Err(BuildFault::Trouble(lost));
            }
            tracing::warn!(consumer = self.generation.consumer(), error = %told(lost.as_ref()), "building is tried again");
            tokio::select! {
                () = self.stop.cancelled() => return Ok(Built::Paused),
                () = tokio::time::sleep(self.pause) => {}
            }
        }
    }

    async fn attempt(&self) -> Result<Built, BatchFault> {
        let start = self.stand(0);
        if serves(start).await.map_err(BatchFault::trouble)? {
            let position = again(start).await.map_err(BatchFault::trouble)?;
            return Ok(Built::Serves(position.unwrap_or(0)));
        }
        let Some(mut position) = again(start).await.map_err(BatchFault::trouble)? else { return Ok(Built::Lost) };
        loop {
            if self.stop.is_cancelled() {
                return Ok(Built::Paused);
            }
            let head = self.log.head().await.map_err(BatchFault::trouble)?.map_or(0, |head| head.position);
            if head.saturating_sub(position) <= u64::from(self.window) {
                break;
            }
            match self.fill(position, head).await? {
                Some(to) => position = to,
                None => return Ok(if self.stop.is_cancelled() { Built::Paused } else { Built::Lost }),
            }
        }
        self.index().await?;
        loop {
            match self.stand(position).batch(self.window).await? {
                Batch::Moved(to) => position = to,
                Batch::AtHead => break,
                Batch::Lost => return Ok(Built::Lost),
            }
        }
        match self.stand(position).swap().await? {
            Swap::Done => Ok(Built::Serves(position)),
            Swap::Lost => Ok(Built::Lost),
        }
    }

    /// Many batches; none where another leads or the process stops.
    async fn fill(&self, position: u64, head: u64) -> Result<Option<u64>, BatchFault> {
        let reached = std::sync::atomic::AtomicU64::new(position);
        let tell = |to| reached.store(to, std::sync::atomic::Ordering::Relaxed);
        let flow = tokio::select! {
            () = self.stop.cancelled() => return Ok(None),
            flow = pump(self.stand(position), &self.projection, &self.reading, head, self.window, &tell) => flow?,
        };
        let reached = reached.into_inner();
        match flow {
            Flow::Through => Ok(Some(reached)),
            Flow::Lost => Ok(None),
            Flow::Refused => match self.stand(reached).batch(self.window).await? {
                Batch::Moved(to) => Ok(Some(to)),
                Batch::AtHead => Ok(Some(reached)),
                Batch::Lost => Ok(None),
            },
        }
    }

    async fn index(&self) -> Result<(), BatchFault> {
        let mut connection = self.log.pool().acquire().await.map_err(BatchFault::trouble)?;
        let made = generations::index(&mut connection, self.projection.as_ref(), self.generation).await;
        made.map_err(BatchFault::trouble)
    }

    /// In front of an event that cannot be used: where no version of this projection serves at all, what there is serves, and
    /// says where it stands. Beside one that serves it waits for a program that can go on.
    async fn stands_alone(&self, poison: u64) -> Result<Option<Built>, BatchFault> {
        let served = "select exists (select from projections.generations where name = $1 and state = 'serving')";
        let served = sqlx::query_scalar::<_, bool>(served).bind(self.generation.name).fetch_one(self.log.pool()).await;
        if served.map_err(BatchFault::trouble)? {
            return Ok(None);
        }
        self.index().await?;
        let position = poison.saturating_sub(1);
        Ok(Some(match self.stand(position).swap().await? {
            Swap::Done => Built::Serves(position),
            Swap::Lost => Built::Lost,
        }))
    }

    async fn stopped(&self, position: u64, source: Box<dyn std::error::Error + Send + Sync>) -> BuildFault {
        match self.stand(0).mark_stopped(position, &told(source.as_ref())).await {
            Ok(()) => BuildFault::Stopped { position, source },
            Err(error) => BuildFault::Trouble(error.into()),
        }
    }

    fn stand(&self, position: u64) -> Stand<'_> {
        let (projection, epoch) = (self.projection.as_ref(), self.epoch);
        Stand { log: &self.log, projection, generation: self.generation, epoch, position }
    }

    /// Drops the generation in whose place this one serves.
    pub async fn drop_the_last(&self) -> Result<(), sqlx::Error> {
        let mut connection = self.log.pool().acquire().await?;
        let forever = f64::from(u32::MAX);
        let projection = self.projection.as_ref();
        while generations::drop_one(&mut connection, projection, forever, || crash::point("rebuild.drop")).await?.is_some() {}
        Ok(())
    }
}

impl Post {
    /// Builds whatever is to be built, while the other task keeps what serves.
    pub async fn build(self, mut looked: watch::Receiver<Looked>) {
        while let Some(generation) = self.next(&mut looked, State::Building).await {
            let consumer = generation.consumer();
            self.leaders.run_for(&consumer);
            self.build_one(generation, &mut looked).await;
            if !self.stop.is_cancelled() {
                self.leaders.resign(&consumer).await;
            }
            self.look.notify_one();
            self.until_it_is_over(generation, &mut looked).await;
        }
    }

    /// Builds it when elected; returns when it is done with, here or elsewhere.
    async fn build_one(&self, generation: Generation, looked: &mut watch::Receiver<Looked>) {
        let (consumer, mut epochs) = (generation.consumer(), self.leaders.epochs());
        while !self.stop.is_cancelled() && self.is_still(looked, State::Building, generation) {
            looked.borrow_and_update();
            let elected = epochs.borrow_and_update().get(&consumer).copied();
            let Some(epoch) = elected else {
                tokio::select! {
                    () = self.stop.cancelled() => {}
                    _ = epochs.changed() => {}
                    _ = looked.changed() => {}
                }
                continue;
            };
            tracing::info!(consumer, "a projection is built beside the one that serves");
            let (log, projection, window) = (self.log.clone(), self.projection.clone(), self.pace.building);
            let (reading, pause, stop) = (self.reading.clone(), self.pace.pause, self.stop.clone());
            let build = Build { log, reading, projection, generation, epoch, window, pause, stop };
            match build.run().await {
                Ok(Built::Serves(position)) => {
                    tracing::info!(consumer, position, "what was built serves now");
                    self.look.notify_one();
                    return;
                }
                Ok(Built::Lost | Built::Paused) => {}
                Err(fault @ BuildFault::Stopped { .. }) => {
                    tracing::error!(consumer, error = %told(&fault), "a projection that is built has stopped; the old one goes on serving");
                    return;
                }
                Err(fault) => tracing::warn!(consumer, error = %told(&fault), "building is tried again"),
            }
            self.pause(self.pace.pause).await;
        }
    }

    async fn until_it_is_over(&self, generation: Generation, looked: &mut watch::Receiver<Looked>) {
        while !self.stop.is_cancelled() && self.is_still(looked, State::Building, generation) {
            tokio::select! {
                () = self.stop.cancelled() => {}
                changed = looked.changed() => if changed.is_err() { return },
            }
        }
    }
}
