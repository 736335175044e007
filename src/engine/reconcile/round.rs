//! One round: every run that has something in one game, one after the other.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::run::{Look, Run, RunCommand};
use leasehold_module::Module;
use leasehold_projections::ledger;

use super::{Fault, Game, asking};
use crate::engine::fault::told;
use crate::engine::folds::Look as From;
use crate::engine::runs::{Extras, Reading};
use crate::engine::streams::Loaded;
use crate::engine::{Act, Engine};
use crate::telling::Heart;

/// How far back a save may lie from which a game starts: what was let go since is asked for, too.
const OLDEST_SAVE: TimeDelta = TimeDelta::hours(24);
/// With what a run that was started ends.
const ENDS: [&str; 3] = ["run_completed", "run_cancelled", "run_failed"];
/// How long the ledger's rows may take to hold what the log held when the game was seen.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

pub(super) struct Round<'a> {
    pub engine: &'a Engine,
    pub module: &'a dyn Module,
    pub game: &'a Game,
    pub boot: &'a str,
    pub heart: &'a Heart,
}

impl Round<'_> {
    /// Asks for all that runs hold there; how many things the game could not tell of.
    pub async fn walk(&self) -> Result<u64, Fault> {
        let (engine, Game { module, scope }) = (self.engine, self.game);
        let at = engine.clock.now().await?;
        let before = engine.log.game_boot(module, scope).await?;
        let anew = before.as_deref().is_some_and(|before| before != self.boot);
        let head = engine.log.head().await?.map_or(0, |head| head.position);
        let mut runs = BTreeSet::new();
        if anew {
            runs.extend(self.mark(head, at).await?);
        }
        let since = if anew { engine.log.reached(at - OLDEST_SAVE, head).await?.unwrap_or(0) } else { head };
        if let Some(projectors) = engine.projectors() {
            projectors.wait_for(ledger::NAME, head, PATIENCE).await.map_err(|_| Fault::NotBuilt)?;
        }
        runs.extend(ledger::runs_to_reconcile(engine.log.pool(), module, scope, since).await?);
        let mut unknown = 0;
        for run in runs {
            self.heart.beat();
            unknown += match self.of_run(&run, anew, at).await {
                // A run that cannot be used stands in the way of nothing behind it.
                Err(fault) if !fault.passes() => {
                    tracing::error!(run, error = %told(&fault), "what a run holds in a game cannot be looked at");
                    0
                }
                asked => asked?,
            };
        }
        if unknown == 0 {
            engine.log.keep_game_boot(module, scope, self.boot, at).await?;
        }
        Ok(unknown)
    }

    /// Tells the runs that are under way there that their game has started anew; which they are.
    async fn mark(&self, head: u64, at: DateTime<Utc>) -> Result<Vec<String>, Fault> {
        let mut marked = Vec::new();
        for run_id in self.engine.log.streams_between(Run::TYPE, "run_started", &ENDS, head).await? {
            let run = match self.engine.folds.load::<Run>(&self.engine.log, &run_id, From::Fresh).await.map_err(Fault::from) {
                Ok((run, _)) => run,
                Err(fault) if !fault.passes() => {
                    tracing::error!(run = run_id, error = %told(&fault), "a run cannot be told that its game has started anew");
                    continue;
                }
                Err(fault) => return Err(fault),
            };
            self.heart.beat();
            if !self.has_begun_there(&run.state) {
                continue;
            }
            let act = Act::following("runner", at, &format!("reconciler {run_id} {} {}", self.game.module, self.boot));
            let (module, boot) = (self.game.module.clone(), self.boot.to_owned());
            let command = |_: &Reading| RunCommand::NoteRestart { at, module: module.clone(), boot: boot.clone() };
            self.commit(&act, &run_id, &Extras::default(), command).await?;
            marked.push(run_id);
        }
        Ok(marked)
    }

    /// Whether some step of the run has been sent to the game.
    fn has_begun_there(&self, run: &Run) -> bool {
        let there = run.scheduled.as_ref().is_some_and(|scheduled| scheduled.scope == self.game.scope);
        let sent = |key: &str| run.planned(key).is_some_and(|planned| planned.module == self.game.module);
        there && run.states().any(|step| step.first_claimed_at.is_some() && sent(&step.key))
    }

    async fn of_run(&self, run_id: &str, anew: bool, at: DateTime<Utc>) -> Result<u64, Fault> {
        let (run, _) = self.engine.folds.load::<Run>(&self.engine.log, run_id, From::Fresh).await?;
        let looks = asking::ask(self.module, self.game, &run.state, anew, at, self.heart).await;
        let unknown = looks.iter().filter(|look| look.held && look.present.is_none()).count() as u64;
        self.tell(&run, looks).await?;
        Ok(unknown)
    }

    async fn tell(&self, run: &Loaded<Run>, looks: Vec<Look>) -> Result<(), Fault> {
        let at = self.engine.clock.now().await?;
        let act = Act::by("runner", at);
        let reported = looks.iter().map(|look| look.target.clone()).collect();
        let extras = Extras { reported, ..Extras::default() };
        let module = self.game.module.clone();
        let command = |reading: &Reading| RunCommand::Reconcile {
            at,
            module: module.clone(),
            looks: looks.clone(),
            facts: reading.facts.clone(),
        };
        self.commit(&act, &run.id, &extras, command).await
    }

    /// A run that has moved on is no fault.
    async fn commit(
        &self,
        act: &Act,
        run_id: &str,
        extras: &Extras,
        command: impl Fn(&Reading) -> RunCommand + Send,
    ) -> Result<(), Fault> {
        match self.engine.commit_run(act, run_id, extras, command).await {
            Ok(_) | Err(Fault::Refused(_)) => Ok(()),
            Err(fault) => Err(fault),
        }
    }
}
