//! What keeps the projections' rows: one consumer for each generation of tables, `projection/NAME/VERSION/GENERATION`.
//!
//! What the database decides: who leads a consumer (a row with an expiry, by its clock) and how far its rows have come
//! (the cursor). A batch locks the cursor, finds it at the epoch and position that it was read for or does nothing, and
//! moves it in the transaction that writes the rows, so that rows and cursor never disagree and no event counts twice. A
//! leader that has slept past its term finds its batch refused. What a process concludes by itself is only when to look:
//! at a nudge, and once a second at the list of generations.
//!
//! A generation that is being built is filled beside the one that serves, which is kept current all the while; when it has
//! caught up, one transaction lets the views show it instead. Whoever leads its consumer builds it: an engine, or a command
//! beside one. What one process builds at the same time it reads once. If that one dies, the next goes on from the cursor.
//!
//! An event that a projection cannot use stops that generation in front of it, loudly, and no other. Its leadership is
//! given up, so that an engine whose program knows the event may go on.

mod batch;
mod build;
mod catch_up;
mod follow;
mod lookout;
mod pipeline;
mod rate;
mod reading;
mod standing;
mod status;
mod swap;
mod verify;
mod wait;

use std::sync::Arc;
use std::time::Duration;

use leasehold_projections::generations::prepare;
use leasehold_projections::{Generation, Projection};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

pub(crate) use batch::seen;
pub use build::{Build, BuildFault, Built};
pub use catch_up::{CatchUpFault, catch_up};
pub use pipeline::{RehearsalFault, rehearse};
pub use rate::Rate;
pub use reading::Reading;
pub use standing::{Standing, State, standings};
pub use status::{BuildStatus, ProjectorStatus};
pub use verify::{Verdict, Verified, VerifyFault, verify};
pub use wait::NotReached;

use super::leaders::{Leaders, Term};
use super::loops::Rest;
use crate::log::Log;
use crate::telling::{Beat, Pulse};

/// How projectors take turns and how much they take on at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// A leader's term.
    pub term: Term,
    /// Positions of one transaction, at least 1, where a generation that serves is kept current.
    pub batch: u32,
    /// Positions of one transaction at most, where one is built.
    pub building: u32,
    /// Behind a batch that was not full, where a generation that serves is kept current. Whoever waits for a position ends it.
    pub rest: Rest,
    /// Pause before something is tried again after trouble with the database, and between two looks at the generations.
    pub pause: Duration,
    /// How long the tables of an older version are kept after the last of its engines was seen.
    pub keep: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            term: Term::default(),
            batch: 2_000,
            building: 2_000,
            rest: Rest { least: Duration::from_millis(10), times: 4, longest: Duration::from_millis(500) },
            pause: Duration::from_secs(1),
            keep: Duration::from_secs(600),
        }
    }
}

/// The projectors of this process. Cheap to clone.
#[derive(Clone)]
pub struct Projectors {
    log: Log,
    each: Arc<[Projector]>,
}

struct Projector {
    projection: Arc<dyn Projection>,
    /// Ends a rest.
    hurry: Arc<Notify>,
    status: watch::Receiver<ProjectorStatus>,
}

/// What the tasks of one projection share.
#[derive(Clone)]
struct Post {
    log: Log,
    /// Of all that is built here.
    reading: Reading,
    projection: Arc<dyn Projection>,
    leaders: Leaders,
    pace: Pace,
    told: Arc<watch::Sender<ProjectorStatus>>,
    /// Ends a rest: somebody waits for rows.
    hurry: Arc<Notify>,
    /// Asks for a look at the generations now.
    look: Arc<Notify>,
    stop: CancellationToken,
}

impl Projectors {
    /// Makes the tables that are missing and starts a projector for each of `projections` on `tasks`, as `holder`, until
    /// `stop` is cancelled. One that is new to the log is built from the beginning.
    pub async fn start(
        log: &Log,
        projections: Vec<Arc<dyn Projection>>,
        holder: Uuid,
        tasks: &TaskTracker,
        stop: &CancellationToken,
        pace: Pace,
    ) -> Result<Self, sqlx::Error> {
        let heart = Pulse::default().heart("leadership");
        let leaders = Leaders::start(log, holder, pace.term, heart, tasks, stop);
        Self::led_by(&leaders, log, projections, tasks, stop, pace).await
    }

    /// The same, in elections that other consumers of this process take part in.
    pub async fn led_by(
        leaders: &Leaders,
        log: &Log,
        projections: Vec<Arc<dyn Projection>>,
        tasks: &TaskTracker,
        stop: &CancellationToken,
        pace: Pace,
    ) -> Result<Self, sqlx::Error> {
        let borrowed: Vec<&dyn Projection> = projections.iter().map(AsRef::as_ref).collect();
        prepare(&mut *log.pool().acquire().await?, &borrowed).await?;
        let (look, reading) = (Arc::new(Notify::new()), Reading::of(log));
        let posts: Vec<Post> = projections
            .into_iter()
            .map(|projection| {
                let (told, _) = watch::channel(ProjectorStatus::new(projection.as_ref()));
                let (log, leaders, stop, told) = (log.clone(), leaders.clone(), stop.clone(), Arc::new(told));
                let reading = reading.clone();
                Post { log, reading, projection, leaders, pace, told, hurry: Arc::default(), look: look.clone(), stop }
            })
            .collect();
        let (seen, looked) = watch::channel(lookout::first(log, &posts).await?);
        for post in &posts {
            tasks.spawn(post.clone().follow(looked.clone()));
            tasks.spawn(post.clone().build(looked.clone()));
        }
        let each = posts.iter().map(|post| Projector {
            projection: post.projection.clone(),
            hurry: post.hurry.clone(),
            status: post.told.subscribe(),
        });
        let each = each.collect();
        tasks.spawn(lookout::look_out(log.clone(), posts, pace, seen));
        Ok(Self { log: log.clone(), each })
    }

    /// The consumers that are led here, or followed until their leader dies.
    pub fn consumers(&self) -> impl Iterator<Item = String> {
        let statuses = self.statuses().into_iter();
        statuses.flat_map(|status| {
            let built = status.building.map(|building| building.generation);
            let generations = status.generation.into_iter().chain(built);
            let of = move |number| Generation { name: status.name, version: status.version, number }.consumer();
            generations.map(of).collect::<Vec<_>>()
        })
    }

    /// When each last looked whether there is anything to do. One that has stopped does not look any more.
    pub fn beats(&self) -> Vec<Beat> {
        let statuses = self.statuses().into_iter();
        let name = |status: &ProjectorStatus| format!("projection/{}/{}", status.name, status.version);
        statuses.map(|status| Beat { name: name(&status), age: status.looked.elapsed() }).collect()
    }

    /// How each stands, in no order that matters.
    pub fn statuses(&self) -> Vec<ProjectorStatus> {
        self.each.iter().map(|projector| projector.status.borrow().clone()).collect()
    }
}
