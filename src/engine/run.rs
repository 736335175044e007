//! Everything that goes on by itself in a running engine.

use leasehold_projections::all as all_projections;

use super::consumers::{Consumer, Gatekeeper, Runner, Scheduler, follow};
use super::firings::Dispatcher;
use super::leaders::{Leaders, Term};
use super::offers::Declarations;
use super::projector::{Pace, Projectors};
use super::{Engine, Fault, drain, keyed, links, retention};

impl Engine {
    /// Starts projections, consumers and the drain; they end when the engine is told to stop. A second call changes
    /// nothing. A read-only engine keeps its projections, which are rows, and no more.
    pub async fn run(&self) -> Result<(), Fault> {
        self.run_beside(None).await
    }

    /// The same, with an eye on what games declare of themselves.
    pub async fn run_beside(&self, games: Option<Declarations>) -> Result<(), Fault> {
        if self.projectors.get().is_some() {
            return Ok(());
        }
        let leaders =
            Leaders::start(&self.log, self.holder, Term::default(), self.pulse.heart("leadership"), &self.tasks, &self.stop);
        let (all, pace) = (all_projections(), Pace::default());
        let projectors = Projectors::led_by(&leaders, &self.log, all, &self.tasks, &self.stop, pace).await?;
        if self.projectors.set(projectors).is_err() {
            return Ok(());
        }
        if self.is_read_only() {
            return Ok(());
        }
        if let Some(games) = games {
            self.tasks.spawn(games.watch(leaders.clone()));
        }
        leaders.run_for(Scheduler::NAME);
        leaders.run_for(Runner::NAME);
        leaders.run_for(Gatekeeper::NAME);
        self.tasks.spawn(follow(self.clone(), Scheduler, leaders.epochs()));
        self.tasks.spawn(follow(self.clone(), Runner, leaders.epochs()));
        self.tasks.spawn(follow(self.clone(), Gatekeeper, leaders.epochs()));
        if let Some(days) = self.settings.retain_run_log_days {
            leaders.run_for(retention::NAME);
            self.tasks.spawn(retention::keep(self.clone(), days, leaders.epochs()));
        }
        self.follow_games(&leaders);
        self.follow_feeds(&leaders);
        self.follow_triggers(&leaders).await?;
        self.tasks.spawn(keyed::forget(self.clone()));
        self.tasks.spawn(drain::drain(self.clone()));
        self.tasks.spawn(links::watch(self.clone()));
        self.tasks.spawn(self.clone().ask_until_all_have_answered());
        Ok(())
    }

    /// A trigger file that is new fires on nothing that lies behind it: the consumer begins at the head of the log.
    async fn follow_triggers(&self, leaders: &Leaders) -> Result<(), Fault> {
        self.log.begin_cursor_at_head(Dispatcher::NAME).await?;
        leaders.run_for(Dispatcher::NAME);
        self.tasks.spawn(follow(self.clone(), Dispatcher, leaders.epochs()));
        if self.has_trigger_files() {
            self.tasks.spawn(self.clone().take_over_firings());
        }
        Ok(())
    }

    /// The projections that this engine keeps; none before [`Self::run`].
    pub fn projectors(&self) -> Option<&Projectors> {
        self.projectors.get()
    }
}
