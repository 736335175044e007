//! What keeps the projections' rows: one consumer a projection, `projection/NAME/VERSION`.
//!
//! What the database decides: who leads a consumer (a row with an expiry, by its clock) and how far its rows have come
//! (the cursor). A batch locks the cursor, finds it at the epoch and position that it was read for or does nothing, and
//! moves it in the transaction that writes the rows, so that rows and cursor never disagree and no event counts twice. A
//! leader that has slept past its term finds its batch refused. What a process concludes by itself is only when to look:
//! at a nudge, and before its term ends.
//!
//! An event that a projection cannot use stops that projection in front of it, loudly, and no other. Its leadership is
//! given up, so that an engine whose program knows the event may go on.

mod batch;
mod catch_up;
mod lead;
mod status;
mod wait;

use std::sync::Arc;
use std::time::Duration;

use leasehold_projections::{Projection, prepare};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

pub(crate) use batch::seen;
pub use catch_up::{CatchUpFault, catch_up};
pub use status::ProjectorStatus;
pub use wait::NotReached;

use crate::log::Log;
use crate::telling::Beat;

/// How projectors take turns and how much they take on at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// A leader's term. It is renewed after a third of it; when a leader dies, the next follows within it.
    pub term: Duration,
    /// Events of one transaction, at least 1.
    pub batch: u32,
    /// Pause before something is tried again after trouble with the database.
    pub pause: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self { term: Duration::from_secs(15), batch: 500, pause: Duration::from_secs(1) }
    }
}

/// The projectors of this process. Cheap to clone.
#[derive(Clone)]
pub struct Projectors {
    log: Log,
    each: Arc<[Projector]>,
}

struct Projector {
    consumer: String,
    status: watch::Receiver<ProjectorStatus>,
}

impl Projectors {
    /// Makes the tables that are missing and starts a projector for each of `projections` on `tasks`, as `holder`, until
    /// `stop` is cancelled. One that is new to the log fills its tables from the beginning.
    pub async fn start(
        log: &Log,
        projections: Vec<Arc<dyn Projection>>,
        holder: Uuid,
        tasks: &TaskTracker,
        stop: &CancellationToken,
        pace: Pace,
    ) -> Result<Self, sqlx::Error> {
        let borrowed: Vec<&dyn Projection> = projections.iter().map(AsRef::as_ref).collect();
        prepare(&mut *log.pool().acquire().await?, &borrowed).await?;
        let each = projections.into_iter().map(|projection| {
            let consumer = projection.consumer();
            let (told, status) = watch::channel(ProjectorStatus::new(projection.as_ref()));
            let lead = lead::Lead { log: log.clone(), projection, consumer: consumer.clone(), holder, pace, told };
            tasks.spawn(lead.run(stop.clone()));
            Projector { consumer, status }
        });
        Ok(Self { log: log.clone(), each: each.collect() })
    }

    /// The consumers that are led here, or followed until their leader dies.
    pub fn consumers(&self) -> impl Iterator<Item = &str> {
        self.each.iter().map(|projector| projector.consumer.as_str())
    }

    /// When each last looked whether there is anything to do. One that has stopped does not look any more.
    pub fn beats(&self) -> Vec<Beat> {
        let beat = |projector: &Projector| {
            let age = projector.status.borrow().looked.elapsed();
            Beat { name: projector.consumer.clone(), age }
        };
        self.each.iter().map(beat).collect()
    }

    /// How each stands, in no order that matters.
    pub fn statuses(&self) -> Vec<ProjectorStatus> {
        self.each.iter().map(|projector| projector.status.borrow().clone()).collect()
    }
}
