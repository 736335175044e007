//! Why a signal says no.

use crate::decide::{Refusal, RefusalKind};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignalRefusal {
    #[error("this signal is recorded already")]
    Recorded,
}

impl Refusal for SignalRefusal {
    fn code(&self) -> &'static str {
        "signal_recorded"
    }

    fn kind(&self) -> RefusalKind {
        RefusalKind::Conflict
    }
}
