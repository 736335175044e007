//! One undo of one step: tell the game that the run is over, ask for the world back, tell the log.

use std::time::Duration;

use chrono::{DateTime, Utc};
use leasehold_aggregates::keys::{perform_key, undo_key};
use leasehold_aggregates::ledger::Let;
use leasehold_aggregates::run::{Holding, PlannedStep, Run, RunCommand, Scheduled, UndoClaim, UndoOutcome, Undone};
use leasehold_aggregates::target::Target;
use leasehold_module::{
    CloseRun, Closed, Failure, LeaseRestore, LeaseRestored, Mark, Module, Revert, RevertTarget, Reverted, Traced, UndoneOutcome,
};

use tokio::time::Instant;
use tracing::Span;

use super::words::{is_value, legible};
use super::{Committed, Extras};
use crate::engine::streams::stream;
use crate::engine::{Act, Engine, Fault, crash};
use crate::telling::catalogue::UNDO_SECONDS;
use crate::telling::traces::traceparent;

/// The longest that one undo may take where the step's own budget does not say: a minute.
const LONGEST: Duration = Duration::from_secs(60);

struct Told {
    undone: Vec<Undone>,
    words: Option<String>,
}

impl Told {
    /// As the metrics spell it.
    fn outcome(&self) -> &'static str {
        let any = |which: fn(&UndoOutcome) -> bool| self.undone.iter().any(|undone| which(&undone.result));
        if any(|outcome| matches!(outcome, UndoOutcome::Failed { .. })) {
            "failed"
        } else if any(|outcome| matches!(outcome, UndoOutcome::Drifted { .. })) {
            "drifted"
        } else {
            "done"
        }
    }
}

/// Carries out the undo that was just claimed.
pub(super) async fn undo(engine: Engine, committed: Committed, claim: u64) {
    let run = &committed.run;
    let (Some(scheduled), Some(undo)) = (&run.scheduled, run.undo.claim.as_ref().filter(|undo| undo.sequence == claim)) else {
        return;
    };
    let Some(planned) = run.planned(&undo.step) else { return };
    crash::point("undo.before");
    let run_stream = stream::<Run>(&scheduled.run_id);
    let Some(mark) = engine.mark_of_claim(&run_stream, claim, committed.position, undo.expires_at).await else { return };
    let Ok(away) = engine.may_send(&planned.module, &scheduled.scope).await else {
        return tracing::error!(run = %scheduled.run_id, step = undo.step, "this process is read-only; no undo was sent");
    };
    let Some(now) = engine.clock.now_at_last(&engine.stop).await.filter(|now| *now < undo.expires_at) else { return };
    let sweep = Sweep { run, scheduled, undo, planned, now, mark: Some(mark) };
    let asked = Instant::now();
    let told = match away {
        Some(failure) => sweep.failed(&failure),
        None => sweep.ask(&engine).await,
    };
    let registry = engine.registry();
    let module = registry.label(&planned.module);
    Span::current().record("outcome", told.outcome());
    UNDO_SECONDS.record(&[module, told.outcome()], asked.elapsed().as_secs_f64());
    crash::point("undo.answered");
    engine.until_told(undo.expires_at, &undo.step, || record(&engine, &scheduled.run_id, claim, &told)).await;
}

async fn record(engine: &Engine, run_id: &str, claim: u64, told: &Told) -> Result<(), Fault> {
    let at = engine.clock.now().await?;
    let act = Act::following("runner", at, &format!("{run_id} {claim} undone"));
    let (words, row) = told.words.as_ref().map(|words| act.note(&legible(words))).unzip();
    let extras = Extras { rows: row.into_iter().collect(), ..Extras::default() };
    let limits = engine.settings.limits();
    let command =
        |_: &super::Reading| RunCommand::SettleUndo { at, claim, undone: told.undone.clone(), words: words.clone(), limits };
    engine.commit_run(&act, run_id, &extras, command).await?;
    Ok(())
}

struct Sweep<'a> {
    run: &'a Run,
    scheduled: &'a Scheduled,
    undo: &'a UndoClaim,
    planned: &'a PlannedStep,
    now: DateTime<Utc>,
    mark: Option<Mark>,
}

impl Sweep<'_> {
    async fn ask(&self, engine: &Engine) -> Told {
        let registry = engine.registry();
        let Some(module) = registry.module(&self.planned.module) else {
            let reason = format!("module {} is not installed", self.planned.module);
            return self.failed(&Failure::not_now("module_missing", reason));
        };
        if let Err(told) = self.close(engine, module.as_ref()).await {
            return told;
        }
        crash::point("undo.closed");
        let undo = async {
            match &self.planned.lease {
                Some(_) => self.restore(module.as_ref()).await,
                None => self.revert(module.as_ref()).await,
            }
        };
        tokio::time::timeout(self.budget(), undo).await.unwrap_or_else(|_| self.too_late())
    }

    /// Tells the game that nothing of the run takes effect any more, unless it was told so just now.
    async fn close(&self, engine: &Engine, module: &dyn Module) -> Result<(), Told> {
        let (run_id, name) = (&self.scheduled.run_id, &self.planned.module);
        // A lease may be over while its run goes on: then the run is not.
        if !self.run.status.terminal() || engine.closings.lately(run_id, name, self.now) {
            return Ok(());
        }
        let (scope, fence) = (self.scheduled.scope.clone(), self.undo.sequence);
        let close = module.close_run(CloseRun { run_id: run_id.clone(), scope, fence, mark: self.mark.clone() });
        match tokio::time::timeout(self.budget(), Traced::new(traceparent(), close)).await {
            Ok(Closed::Closed) => {
                engine.closings.closed(run_id, name, self.now);
                Ok(())
            }
            Ok(Closed::Failed(failure)) => Err(self.failed(&failure)),
            Err(_) => Err(self.too_late()),
        }
    }

    /// What each of the two commands may take: the step's own budget.
    fn budget(&self) -> Duration {
        Duration::from_millis(self.planned.budget_ms).clamp(Duration::from_millis(1), LONGEST)
    }

    fn too_late(&self) -> Told {
        self.failed(&Failure::unknown("no_answer", format!("no answer within {} ms", self.budget().as_millis())))
    }

    async fn restore(&self, module: &dyn Module) -> Told {
        let (Some(lease), Some(holding)) = (&self.planned.lease, self.holding()) else { return self.all(Let::NeverTaken) };
        let request = LeaseRestore {
            lease: lease.id.clone(),
            scope: self.scheduled.scope.clone(),
            run_id: self.scheduled.run_id.clone(),
            expected: holding.applied.clone().unwrap_or_else(|| lease.value.clone()),
            baseline: holding.baseline.clone(),
            idempotency_key: self.key(),
            mark: self.mark.clone(),
        };
        match Traced::new(traceparent(), module.lease_restore(request)).await {
            LeaseRestored::Restored => self.all(Let::Restored),
            LeaseRestored::LetGo { reason, .. } if reason == "deadline" => self.all(Let::ExpiredAtGame),
            LeaseRestored::LetGo { .. } if holding.baseline.is_none() => self.all(Let::NeverTaken),
            LeaseRestored::LetGo { .. } => self.all(Let::LetGoByRestart),
            LeaseRestored::Drifted { current } if !is_value(&current) => self
                .failed(&Failure::refused("odd_answer", "the module found a value that is no text of at most 4,000 characters")),
            LeaseRestored::Drifted { current } => self.each(&UndoOutcome::Drifted { found: current }),
            LeaseRestored::Failed(failure) => self.failed(&failure),
        }
    }

    async fn revert(&self, module: &dyn Module) -> Told {
        let resources =
            self.made().map(|target| RevertTarget { kind: target.kind.clone(), reference: target.reference.clone() }).collect();
        let request = Revert {
            action: self.planned.action.clone(),
            run_id: self.scheduled.run_id.clone(),
            step: self.undo.step.clone(),
            scope: self.scheduled.scope.clone(),
            resources,
            perform_key: perform_key(&self.scheduled.run_id, &self.undo.step),
            idempotency_key: self.key(),
            mark: self.mark.clone(),
        };
        match Traced::new(traceparent(), module.revert(request)).await {
            Reverted::Failed(failure) => self.failed(&failure),
            Reverted::Done(outcomes) => {
                let of =
                    |target: &Target| outcomes.iter().find(|one| one.kind == target.kind && one.reference == target.reference);
                let undone = |target: &Target| Undone {
                    target: target.clone(),
                    result: outcome(target, of(target).map(|one| &one.outcome)),
                };
                Told { undone: self.undo.targets.iter().map(undone).collect(), words: None }
            }
        }
    }

    /// All that the step made, whatever has become of it meanwhile: a repeat of an undo's key asks for the same.
    fn made(&self) -> impl Iterator<Item = &Target> {
        let of_step = self.run.holdings.iter().filter(|held| held.step == self.undo.step);
        of_step.map(|held| &held.target).filter(|target| !target.is_placeholder())
    }

    fn holding(&self) -> Option<&Holding> {
        let target = self.undo.targets.first()?;
        self.run.holdings.iter().rfind(|held| held.target == *target)
    }

    fn key(&self) -> String {
        undo_key(&self.scheduled.run_id, &self.undo.step, self.run.undo.round)
    }

    fn all(&self, reason: Let) -> Told {
        self.each(&UndoOutcome::Reverted { reason })
    }

    fn each(&self, result: &UndoOutcome) -> Told {
        let undone = |target: &Target| Undone { target: target.clone(), result: result.clone() };
        Told { undone: self.undo.targets.iter().map(undone).collect(), words: None }
    }

    fn failed(&self, failure: &Failure) -> Told {
        let told = self.each(&UndoOutcome::Failed { code: failure.code.clone() });
        Told { words: Some(failure.reason.clone()), ..told }
    }
}

/// What one target's answer means. A target that the module was asked about and did not mention is not known to be gone.
fn outcome(target: &Target, answer: Option<&UndoneOutcome>) -> UndoOutcome {
    match answer {
        Some(UndoneOutcome::Removed) => UndoOutcome::Reverted { reason: Let::Removed },
        Some(UndoneOutcome::Gone) => UndoOutcome::Reverted { reason: Let::Gone },
        Some(UndoneOutcome::Refused(_)) => UndoOutcome::Failed { code: "refused".into() },
        None if target.is_placeholder() => UndoOutcome::Reverted { reason: Let::Removed },
        None => UndoOutcome::Failed { code: "not_mentioned".into() },
    }
}
