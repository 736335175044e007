//! Why a run says no.

use uuid::Uuid;

use super::event::RunEvent;
use super::status::{RunStatus, StepStatus};
use crate::account::Role;
use crate::authorise::Denied;
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
    #[error("cannot {verb} step {step}: it is {is}")]
    StepNotNow { verb: &'static str, step: String, is: StepStatus },
    #[error("cannot {verb} step {step}: it is being carried out at this moment, and nothing calls it back")]
    BeingDispatched { verb: &'static str, step: String },
    #[error("cannot retry step {step}: its phase has come as far as step {furthest} already")]
    PassedBy { step: String, furthest: String },
    #[error("step {step} would fail again: {detail}")]
    CannotBeSent { step: String, detail: String },
    #[error("step {step} would be refused again: {why}")]
    StillDenied { step: String, why: Box<Denied> },
    #[error("cannot advance the phase {phase}: it has no gate, and goes on when its steps are done")]
    NoGate { phase: String },
    #[error("cannot advance the phase {phase}: it waits for step {step}, which can be skipped, and not for its gate")]
    HeldByStep { phase: String, step: String },
    #[error("cannot advance the phase {phase}: its gate is open already")]
    GateOpen { phase: String },
    #[error("everything is stopped (stop {stop}): no run goes on until somebody lifts it")]
    Stopped { stop: Uuid },
    #[error("cancelling without cleanup takes the role admin, and yours is {role}")]
    AdminsOnly { role: Role },
    #[error("this claim on step {step} is no longer current")]
    StaleClaim { step: String },
    #[error("this claim on an undo is no longer current")]
    StaleUndo,
    #[error("this run has {events} events and takes no further signal; open its gate by hand, or cancel it")]
    TooLong { events: u64 },
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
            Self::StepNotNow { .. } | Self::BeingDispatched { .. } | Self::PassedBy { .. } => "step_state",
            Self::CannotBeSent { .. } | Self::StillDenied { .. } => "still_refused",
            Self::NoGate { .. } | Self::HeldByStep { .. } | Self::GateOpen { .. } => "not_at_gate",
            Self::AdminsOnly { .. } => "role_required",
            Self::Stopped { .. } => "stopped",
            Self::StaleClaim { .. } | Self::StaleUndo => "stale_claim",
            Self::TooLong { .. } => "run_too_long",
            Self::MovedOn => "moved_on",
        }
    }

    fn kind(&self) -> RefusalKind {
        match self {
            Self::Missing | Self::NoSuchStep(_) => RefusalKind::Missing,
            Self::AdminsOnly { .. } => RefusalKind::Forbidden,
            _ => RefusalKind::Conflict,
        }
    }
}
