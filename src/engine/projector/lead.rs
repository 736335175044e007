//! A projector's life: run for leadership, apply batch after batch, wait for word, hand over.

use std::sync::Arc;

use leasehold_projections::Projection;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::batch::{Batch, BatchFault, Stand};
use super::{Pace, ProjectorStatus};
use crate::engine::fault::told;
use crate::log::{Log, LogError};

pub(super) struct Lead {
    pub log: Log,
    pub projection: Arc<dyn Projection>,
    pub consumer: String,
    pub holder: Uuid,
    pub pace: Pace,
    pub told: watch::Sender<ProjectorStatus>,
}

/// Why a term ended.
enum Ended {
    /// The process stops.
    ForGood,
    /// The projection cannot use the event at this position: nobody is to try again here.
    Stopped { at: u64, why: String },
    /// Another leads, or the database is away.
    ForNow,
}

/// What follows a batch.
enum Next {
    At(u64),
    AtHead,
    Ended(Ended),
}

impl Lead {
    pub async fn run(self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            let ended = match self.log.acquire(&self.consumer, self.holder, self.pace.term).await {
                Ok(Some(epoch)) => self.term(epoch, &stop).await,
                Ok(None) => self.look_on().await.map(|()| Ended::ForNow),
                Err(error) => Err(error),
            };
            self.told.send_modify(|status| status.leads = false);
            let pause = match ended {
                Ok(Ended::ForGood) => return,
                Ok(Ended::Stopped { at, why }) => return self.stopped(at, why),
                Ok(Ended::ForNow) => self.pace.term / 5,
                Err(error) => {
                    tracing::warn!(consumer = self.consumer, error = %told(&error), "a projection is tried again");
                    self.pace.pause
                }
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Leads until something ends it. Gives the leadership up where it is still this process's.
    async fn term(&self, epoch: u64, stop: &CancellationToken) -> Result<Ended, LogError> {
        self.told.send_modify(|status| status.leads = true);
        let ended = self.apply(epoch, stop).await?;
        if !matches!(ended, Ended::ForNow) {
            self.log.release(&self.consumer, self.holder, epoch).await?;
        }
        Ok(ended)
    }

    async fn apply(&self, epoch: u64, stop: &CancellationToken) -> Result<Ended, LogError> {
        let mut nudge = self.log.subscribe();
        let mut renewed = Instant::now();
        let renewal = self.pace.term / 3;
        let mut position = self.look().await?;
        while !stop.is_cancelled() {
            if renewed.elapsed() >= renewal {
                if !self.log.renew(&self.consumer, self.holder, epoch, self.pace.term).await? {
                    return Ok(Ended::ForNow);
                }
                renewed = Instant::now();
            }
            nudge.borrow_and_update();
            match self.batch(epoch, position).await? {
                Next::At(to) => position = to,
                Next::Ended(ended) => return Ok(ended),
                Next::AtHead => {
                    tokio::select! {
                        () = stop.cancelled() => {}
                        _ = nudge.changed() => {}
                        () = tokio::time::sleep_until(renewed + renewal) => {}
                    }
                }
            }
        }
        Ok(Ended::ForGood)
    }

    async fn batch(&self, epoch: u64, position: u64) -> Result<Next, LogError> {
        let projection = self.projection.as_ref();
        let stand = Stand { log: &self.log, projection, consumer: &self.consumer, epoch, position };
        match stand.batch(self.pace.batch).await {
            Ok(Batch::Moved(to)) => {
                self.told.send_modify(|status| (status.position, status.looked) = (to, Instant::now()));
                Ok(Next::At(to))
            }
            Ok(Batch::AtHead) => {
                self.looked();
                Ok(Next::AtHead)
            }
            Ok(Batch::Lost) => Ok(Next::Ended(Ended::ForNow)),
            Err(BatchFault::Poison { position: at, source }) => {
                Ok(Next::Ended(Ended::Stopped { at, why: told(source.as_ref()) }))
            }
            Err(trouble @ BatchFault::Trouble(_)) => {
                tracing::warn!(consumer = self.consumer, error = %told(&trouble), "a batch is tried again");
                tokio::time::sleep(self.pace.pause).await;
                // The answer to a commit may be what was lost.
                Ok(Next::At(self.look().await?))
            }
        }
    }

    fn stopped(&self, at: u64, why: String) {
        tracing::error!(
            consumer = self.consumer,
            position = at,
            why,
            "a projection has stopped in front of an event that it cannot use; its rows stay as they are"
        );
        self.told.send_modify(|status| (status.stopped_at, status.why) = (Some(at), Some(why)));
    }

    /// Where the rows stand, by the cursor itself.
    async fn look(&self) -> Result<u64, LogError> {
        self.look_on().await?;
        Ok(self.told.borrow().position)
    }

    /// Wakes nobody who waits for a position.
    fn looked(&self) {
        self.told.send_if_modified(|status| {
            status.looked = Instant::now();
            false
        });
    }

    async fn look_on(&self) -> Result<(), LogError> {
        let position = self.log.cursor(&self.consumer).await?.map_or(0, |cursor| cursor.position);
        self.told.send_if_modified(|status| std::mem::replace(&mut status.position, position) != position);
        self.looked();
        Ok(())
    }
}
