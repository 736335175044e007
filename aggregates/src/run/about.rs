//! What every event of a run has, and what many have: its instant, and the step that it is about.

use chrono::{DateTime, Utc};

use super::event::RunEvent;

impl RunEvent {
    /// The instant that it is about.
    pub fn at(&self) -> DateTime<Utc> {
        match self {
            Self::RunScheduled { at, .. }
            | Self::RunRepinned { at, .. }
            | Self::RunWithdrawn { at, .. }
            | Self::RunBlocked { at, .. }
            | Self::RunMissed { at, .. }
            | Self::RunStarted { at, .. }
            | Self::PhaseEntered { at, .. }
            | Self::GateSatisfied { at, .. }
            | Self::SignalsCounted { at, .. }
            | Self::GateTimedOut { at, .. }
            | Self::RunStalled { at, .. }
            | Self::StepClaimed { at, .. }
            | Self::StepDone { at, .. }
            | Self::StepParked { at, .. }
            | Self::StepConfirmed { at, .. }
            | Self::AttemptFailed { at, .. }
            | Self::StepFailed { at, .. }
            | Self::StepRefused { at, .. }
            | Self::StepAbandoned { at, .. }
            | Self::RunDegraded { at, .. }
            | Self::RunRecovered { at, .. }
            | Self::RunPaused { at, .. }
            | Self::RunResumed { at, .. }
            | Self::StepSkipped { at, .. }
            | Self::StepRetried { at, .. }
            | Self::CapReread { at, .. }
            | Self::RunCompleted { at }
            | Self::RunCancelled { at, .. }
            | Self::RunFailed { at, .. }
            | Self::UndoBegun { at, .. }
            | Self::UndoSettled { at, .. }
            | Self::ParticipantsReported { at, .. }
            | Self::ResultsPublished { at, .. }
            | Self::GameRestarted { at, .. }
            | Self::HoldingsReconciled { at, .. }
            | Self::CleanupRequested { at, .. }
            | Self::CleanupCompleted { at }
            | Self::CleanupStopped { at, .. } => *at,
        }
    }

    /// The step that it is about, if it is about one.
    pub fn step(&self) -> Option<&str> {
        match self {
            Self::StepClaimed { step, .. }
            | Self::StepDone { step, .. }
            | Self::StepParked { step, .. }
            | Self::StepConfirmed { step, .. }
            | Self::AttemptFailed { step, .. }
            | Self::StepFailed { step, .. }
            | Self::StepRefused { step, .. }
            | Self::StepAbandoned { step, .. }
            | Self::StepSkipped { step, .. }
            | Self::StepRetried { step, .. }
            | Self::RunFailed { step, .. }
            | Self::UndoBegun { step, .. }
            | Self::UndoSettled { step, .. }
            | Self::ParticipantsReported { step, .. } => Some(step),
            Self::ResultsPublished { step, .. }
            | Self::RunDegraded { step, .. }
            | Self::RunRecovered { step, .. }
            | Self::RunPaused { step, .. } => step.as_deref(),
            _ => None,
        }
    }
}
