//! One stop for everything: nothing starts, and what is under way goes the way that whoever stopped it has chosen. Undos
//! finish whatever is stopped. A person lifts it.

use leasehold_aggregates::authorise::Asker;
use leasehold_aggregates::decide::Decide;
use leasehold_aggregates::deployment::{DEPLOYMENT, Deployment, DeploymentCommand, DeploymentEvent, StopRuns};
use leasehold_aggregates::note::NoteRef;
use leasehold_aggregates::run::{Run, RunCommand};
use uuid::Uuid;

use super::again::again;
use super::definitions::Deed;
use super::runs::Extras;
use super::streams::{event, load, stream};
use super::{Act, Engine, Fault, mint};
use crate::log::Recorded;

/// The event that a stop begins with.
pub const STOP_DECLARED: &str = "stop_declared";
/// What a run that was started ends with.
const ENDS: [&str; 3] = ["run_completed", "run_cancelled", "run_failed"];

/// The stop that is in force, and whose it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Stopped {
    pub id: Uuid,
    pub runs: StopRuns,
    pub declared: Deed,
    pub note: Option<NoteRef>,
}

impl Engine {
    /// Stops everything; gives the stop's id and the log's position.
    pub async fn stop_everything(&self, act: &Act, runs: StopRuns, reason: &str) -> Result<(Uuid, u64), Fault> {
        let (stop, (note, row)) = (mint::command_of(&format!("stop {}", act.command_id)), act.note(reason));
        let declare = || DeploymentCommand::DeclareStop { stop, runs, note: Some(note.clone()) };
        let try_once = async || self.deploy(act, declare(), Some(row.clone())).await;
        let position = self.once(act, || again(self, try_once), async |done| Ok(done.last)).await?;
        Ok((stop, position))
    }

    /// Lets everything start again; gives the log's position. What was paused waits for somebody to resume it.
    pub async fn lift_stop(&self, act: &Act) -> Result<u64, Fault> {
        again(self, || self.deploy(act, DeploymentCommand::LiftStop, None)).await
    }

    /// The stop that is in force, if one is.
    pub async fn stopped(&self) -> Result<Option<Stopped>, Fault> {
        let mut stopped = None;
        for recorded in self.log.load(&stream::<Deployment>(DEPLOYMENT)).await? {
            let declared = Deed::of(&recorded);
            match event::<Deployment>(recorded)? {
                DeploymentEvent::StopDeclared { stop: id, runs, note } => stopped = Some(Stopped { id, runs, declared, note }),
                DeploymentEvent::StopLifted { .. } => stopped = None,
                _ => {}
            }
        }
        Ok(stopped)
    }

    /// Whether a stop is in force, and which.
    pub async fn stop_in_force(&self) -> Result<Option<Uuid>, Fault> {
        Ok(load::<Deployment>(&self.log, DEPLOYMENT).await?.state.stop().map(|stop| stop.id))
    }

    /// Pauses or cancels what had started before this stop was declared, as it asks. Nothing has started since.
    pub(in crate::engine) async fn stop_runs(&self, declared: &Recorded) -> Result<(), Fault> {
        let DeploymentEvent::StopDeclared { stop, runs, .. } = event::<Deployment>(declared.clone())? else { return Ok(()) };
        if runs == StopRuns::Leave {
            return Ok(());
        }
        for run_id in self.log.streams_between(Run::TYPE, "run_started", &ENDS, declared.position).await? {
            let at = self.clock.now().await?;
            let act = Act::following("runner", at, &format!("stop {} {run_id}", declared.position));
            let command = match runs {
                StopRuns::TearDown => RunCommand::Cancel { at, by: Asker::Runner, cleanup: true, stop: Some(stop), note: None },
                StopRuns::Pause | StopRuns::Leave => RunCommand::Pause { at, stop: Some(stop), note: None },
            };
            match self.commit_run(&act, &run_id, &Extras::default(), |_| command.clone()).await {
                Ok(_) | Err(Fault::Refused(_)) => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(())
    }
}
