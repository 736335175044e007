//! Everything that goes on by itself in a running engine.

use std::time::Duration;

use leasehold_projections::all as all_projections;

use super::consumers::{Consumer, Runner, Scheduler, follow};
use super::projector::{Pace, Projectors};
use super::{Engine, Fault, drain, leaders, links, retention};

/// A projector's term: as short as the consumers', so that an engine that died is followed as soon.
const TERM: Duration = Duration::from_secs(3);

impl Engine {
    /// Starts projections, consumers and the drain; they end when the engine is told to stop. A second call changes
    /// nothing. A read-only engine keeps its projections, which are rows, and no more.
    pub async fn run(&self) -> Result<(), Fault> {
        if self.projectors.get().is_some() {
            return Ok(());
        }
        let pace = Pace { term: TERM, ..Pace::default() };
        let projectors = Projectors::start(&self.log, all_projections(), self.holder, &self.tasks, &self.stop, pace).await?;
        if self.projectors.set(projectors).is_err() {
            return Ok(());
        }
        if self.is_read_only() {
            return Ok(());
        }
        let bound = self.settings.retain_run_log_days;
        let led = [Scheduler::NAME, Runner::NAME].into_iter().chain(bound.map(|_| retention::NAME));
        let epochs = leaders::run(self, led.map(str::to_owned).collect());
        self.tasks.spawn(follow(self.clone(), Scheduler, epochs.clone()));
        self.tasks.spawn(follow(self.clone(), Runner, epochs.clone()));
        if let Some(days) = bound {
            self.tasks.spawn(retention::keep(self.clone(), days, epochs));
        }
        self.tasks.spawn(drain::drain(self.clone()));
        self.tasks.spawn(links::watch(self.clone()));
        self.tasks.spawn(self.clone().ask_until_all_have_answered());
        Ok(())
    }

    /// The projections that this engine keeps; none before [`Self::run`].
    pub fn projectors(&self) -> Option<&Projectors> {
        self.projectors.get()
    }
}
