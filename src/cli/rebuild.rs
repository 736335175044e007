//! `leasehold projections rebuild`: new rows beside those that serve, and progress while they come.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use leasehold_projections::{Generation, Projection, generations};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::Failed;
use super::pace::Progress;
use crate::engine::fault::told;
use crate::engine::leaders::{Leaders, Term};
use crate::engine::mint;
use crate::engine::projector::{Build, BuildFault, Built, Pace, Reading, Standing, State, standings};
use crate::log::Log;
use crate::telling::Pulse;

/// Between two looks at how far a build has come.
const GLANCE: Duration = Duration::from_millis(500);

/// Builds each of them anew, side by side and from one reading of the log.
pub async fn rebuild(log: &Log, all: Vec<Arc<dyn Projection>>, window: u32, anew: bool) -> Result<ExitCode, Failed> {
    let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
    let heart = Pulse::default().heart("leadership");
    let leaders = Leaders::start(log, mint::id(), Term::default(), heart, &tasks, &stop);
    let interrupted = stop.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            interrupted.cancel();
        }
    });
    let (reading, alone) = (Reading::of(log), all.len() == 1);
    let mut builds = JoinSet::new();
    for projection in all {
        if anew && generations::abandon(&mut *log.pool().acquire().await?, projection.as_ref()).await? {
            eprintln!("{}: what had been built is given up", projection.name());
        }
        let (log, leaders, reading, stop) = (log.clone(), leaders.clone(), reading.clone(), stop.clone());
        let rebuild = Rebuild { log, leaders, reading, projection, window, alone, stop };
        builds.spawn(async move { rebuild.run().await });
    }
    let mut code = ExitCode::SUCCESS;
    while let Some(ended) = builds.join_next().await {
        if let Some(fault) = ended?? {
            eprintln!("leasehold: {fault}");
            code = ExitCode::FAILURE;
        }
    }
    stop.cancel();
    tasks.close();
    tasks.wait().await;
    Ok(code)
}

struct Rebuild {
    log: Log,
    leaders: Leaders,
    reading: Reading,
    projection: Arc<dyn Projection>,
    window: u32,
    /// Nothing else is built beside it.
    alone: bool,
    stop: CancellationToken,
}

impl Rebuild {
    /// Builds, or looks on while another does; returns when the generation serves, or with a word about why it does not.
    async fn run(&self) -> Result<Option<String>, Failed> {
        let start = Instant::now();
        let mut connection = self.log.pool().acquire().await?;
        let (generation, new) = generations::begin(&mut connection, self.projection.as_ref()).await?;
        drop(connection);
        let (what, consumer) = (format!("{} generation {}", generation.name, generation.number), generation.consumer());
        if !new {
            eprintln!("{what}: goes on with what was built before");
        }
        self.leaders.run_for(&consumer);
        let stands = self.log.cursor(&consumer).await?.map_or(0, |at| at.position);
        let mut progress = Progress::starting(what.clone(), self.alone, stands);
        let ended = self.until_it_serves(generation, &mut progress).await;
        progress.end();
        self.leaders.resign(&consumer).await;
        let ended = ended?;
        if ended.is_none() {
            println!("{what} serves after {:.1} s", start.elapsed().as_secs_f64());
        }
        Ok(ended)
    }

    async fn until_it_serves(&self, generation: Generation, progress: &mut Progress) -> Result<Option<String>, Failed> {
        let (consumer, mut epochs) = (generation.consumer(), self.leaders.epochs());
        let mut leader = None;
        loop {
            let elected = epochs.borrow_and_update().get(&consumer).copied();
            if let Some(epoch) = elected {
                match self.build(generation, epoch, progress).await? {
                    Ok(Built::Serves(_)) => return Ok(None),
                    Ok(Built::Paused) => return Ok(Some(paused(generation))),
                    Ok(Built::Lost) => {}
                    Err(fault) => return Ok(Some(format!("{consumer}: {}", told(&fault)))),
                }
            }
            let Some(standing) = self.look(generation).await? else {
                return Ok(Some(format!("{consumer} was given up by somebody else")));
            };
            if standing.state != State::Building {
                return Ok(None);
            }
            if standing.led_by.is_some() && standing.led_by != leader && elected.is_none() {
                leader = standing.led_by;
                eprintln!("{consumer}: built by {}", leader.map(|by| by.to_string()).unwrap_or_default());
            }
            progress.tell(standing.position, standing.head);
            tokio::select! {
                () = self.stop.cancelled() => return Ok(Some(paused(generation))),
                _ = epochs.changed() => {}
                () = tokio::time::sleep(GLANCE) => {}
            }
        }
    }

    async fn build(
        &self,
        generation: Generation,
        epoch: u64,
        progress: &mut Progress,
    ) -> Result<Result<Built, BuildFault>, Failed> {
        let work = Build {
            log: self.log.clone(),
            reading: self.reading.clone(),
            projection: self.projection.clone(),
            generation,
            epoch,
            window: self.window,
            pause: Pace::default().pause,
            stop: self.stop.clone(),
        };
        let run = work.run();
        tokio::pin!(run);
        let built = loop {
            tokio::select! {
                built = &mut run => break built,
                () = tokio::time::sleep(GLANCE) => {
                    if let Some(standing) = self.look(generation).await? {
                        progress.tell(standing.position, standing.head);
                    }
                }
            }
        };
        if matches!(built, Ok(Built::Serves(_))) {
            work.drop_the_last().await?;
        }
        Ok(built)
    }

    async fn look(&self, generation: Generation) -> Result<Option<Standing>, Failed> {
        let all = standings(self.log.pool()).await?;
        let same = |one: &Standing| {
            one.name == generation.name && one.version == generation.version && one.generation == generation.number
        };
        Ok(all.into_iter().find(same))
    }
}

fn paused(generation: Generation) -> String {
    format!("{} is not built yet: an engine goes on with it, or the next call does", generation.consumer())
}
