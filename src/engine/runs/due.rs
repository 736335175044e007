//! What falls due: the staged items of runs, each decided on the run as it is, or dropped when the run has moved on.

use std::str::FromStr;

use leasehold_aggregates::run::{DueKind, RunCommand};

use super::{Extras, Reading};
use crate::engine::figures::kind_of;
use crate::engine::{Act, Engine, Fault, crash};
use crate::log::Staged;
use crate::telling::catalogue::DUE_SECONDS;

impl Engine {
    /// Carries out one due item of a run.
    pub(crate) async fn take_up(&self, item: &Staged) -> Result<(), Fault> {
        crash::point("due.before");
        let Ok(kind) = DueKind::from_str(&item.kind) else {
            return Err(Fault::UnknownItem(item.kind.clone()));
        };
        // It was due when it was looked up; a clock that has stepped back since does not undo that.
        let at = self.clock.now().await?.max(item.due_at);
        DUE_SECONDS.lapse(&[kind_of(&item.kind)], item.due_at, at);
        let act = Act::following("runner", at, &format!("{} {}", item.id, at.timestamp_micros()));
        let extras = Extras { item: Some(item.id), due: Some(item.due_at), ..Extras::default() };
        let step = item.payload["step"].as_str().unwrap_or_default();
        let sequence = item.payload["sequence"].as_u64().unwrap_or_default();
        let command = |reading: &Reading| self.command(kind, at, step, sequence, reading);
        match self.commit_run(&act, &item.stream.aggregate_id, &extras, command).await {
            Err(Fault::Refused(refusal)) => {
                tracing::debug!(kind = item.kind, run = item.stream.aggregate_id, %refusal, "a due item has moved on");
                self.log.drop_staged(item.id).await?;
                Ok(())
            }
            other => other.map(|_| ()),
        }
    }

    fn command(&self, kind: DueKind, at: chrono::DateTime<chrono::Utc>, step: &str, claim: u64, reading: &Reading) -> RunCommand {
        let (facts, limits) = (reading.facts.clone(), self.settings.limits());
        match kind {
            DueKind::Start => {
                let budget = reading.budget_now();
                RunCommand::Start { at, standing: reading.standing(at), slot_holder: reading.slot_holder(), budget, facts }
            }
            DueKind::GraceEnd => {
                let due = reading.run.state.scheduled.as_ref().map(|scheduled| scheduled.scheduled_for);
                RunCommand::Miss { at, slot_holder: reading.slot_holder(), barred: reading.barred(due.as_slice()) }
            }
            DueKind::Advance => RunCommand::Advance { at, facts },
            DueKind::Stall => RunCommand::Stall { at, entered: claim },
            DueKind::ClaimExpiry => RunCommand::ExpireClaim { at, step: step.to_owned(), claim, facts },
            DueKind::Sweep => RunCommand::Sweep { at, limits },
            DueKind::UndoExpiry => RunCommand::ExpireUndo { at, claim, limits },
        }
    }

    /// A slot was released: a run that was waiting for it may start.
    pub(crate) async fn wake(&self, run_id: &str, cause: &str) -> Result<(), Fault> {
        let at = self.clock.now().await?;
        let act = Act::following("runner", at, cause);
        let command = |reading: &Reading| self.command(DueKind::Start, at, "", 0, reading);
        match self.commit_run(&act, run_id, &Extras::default(), command).await {
            Err(Fault::Refused(_)) | Ok(_) => Ok(()),
            Err(fault) => Err(fault),
        }
    }
}
