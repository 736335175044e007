//! One stop for everything: nothing starts until a person lifts it, whatever the hour.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Deployment, DeploymentEvent, DeploymentRefusal, Frozen};
use crate::note::NoteRef;

/// What becomes of the runs under way when everything is stopped; each does more than the one before it.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::Display,
    strum::EnumIter,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum StopRuns {
    /// They go on.
    Leave,
    /// They are paused between two steps, and keep what they hold.
    Pause,
    /// They are cancelled, and give back what they hold.
    TearDown,
}

/// The stop that is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    pub id: Uuid,
    pub runs: StopRuns,
}

/// Why nothing may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Barred {
    Stopped { stop: Uuid },
    Frozen(Frozen),
}

impl Deployment {
    pub fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// The stop under which no run goes on with another step.
    pub fn stops_runs(&self) -> Option<Uuid> {
        self.stop.filter(|stop| stop.runs > StopRuns::Leave).map(|stop| stop.id)
    }

    /// What keeps everything from starting at one of these instants; a stop before any window.
    pub fn barred(&self, instants: &[chrono::DateTime<chrono::Utc>]) -> Option<Barred> {
        let stopped = self.stop.map(|stop| Barred::Stopped { stop: stop.id });
        stopped.or_else(|| self.frozen(instants).map(Barred::Frozen))
    }

    /// A stop that is in force may be followed by one that does more, and by no other.
    pub(super) fn declare_stop(
        &self,
        stop: Uuid,
        runs: StopRuns,
        note: Option<NoteRef>,
    ) -> Result<Vec<DeploymentEvent>, DeploymentRefusal> {
        match self.stop {
            Some(known) if known.runs >= runs => Err(DeploymentRefusal::Stopped { stop: known.id, runs: known.runs }),
            _ => Ok(vec![DeploymentEvent::StopDeclared { stop, runs, note }]),
        }
    }

    pub(super) fn lift_stop(&self) -> Result<Vec<DeploymentEvent>, DeploymentRefusal> {
        let stop = self.stop.ok_or(DeploymentRefusal::NotStopped)?;
        Ok(vec![DeploymentEvent::StopLifted { stop: stop.id }])
    }
}
