//! Why a run says no.

use super::event::RunEvent;
use super::status::RunStatus;
use crate::decide::{Refusal, RefusalKind};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunRefusal {
    #[error("there is no such run")]
    Missing,
    #[error("this run exists already")]
    Exists,
    #[error("cannot {verb} a run that is {status}")]
    NotNow { verb: &'static str, status: RunStatus },
    #[error("this run has no step {0}")]
    NoSuchStep(String),
    #[error("step {step} is {is}, not waiting for a person")]
    NotParked { step: String, is: String },
    #[error("this claim on step {step} is no longer current")]
    StaleClaim { step: String },
    #[error("this claim on an undo is no longer current")]
    StaleUndo,
    #[error("what this was due for has moved on")]
    MovedOn,
}

/// What a command makes.
pub(super) type Decided = Result<Vec<RunEvent>, RunRefusal>;

impl Refusal for RunRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Missing => "not_found",
            Self::Exists => "run_exists",
            Self::NotNow { .. } => "run_state",
            Self::NoSuchStep(_) => "step_not_found",
            Self::NotParked { .. } => "step_not_parked",
            Self::StaleClaim { .. } | Self::StaleUndo => "stale_claim",
            Self::MovedOn => "moved_on",
        }
    }

    fn kind(&self) -> RefusalKind {
        match self {
            Self::Missing | Self::NoSuchStep(_) => RefusalKind::Missing,
            _ => RefusalKind::Conflict,
        }
    }
}
