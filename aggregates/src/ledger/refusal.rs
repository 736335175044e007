//! Why a target says no.

use crate::decide::{Refusal, RefusalKind};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LedgerRefusal {
    #[error("it is held by run {holder} (step {step}) until that run gives it back")]
    Held { holder: String, step: String },
    #[error("run {run_id} does not hold it")]
    NotHeld { run_id: String },
}

impl Refusal for LedgerRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Held { .. } => "held",
            Self::NotHeld { .. } => "not_held",
        }
    }

    fn kind(&self) -> RefusalKind {
        RefusalKind::Conflict
    }
}
