use leasehold_aggregates::decide::{Refusal, RefusalKind};

/// Why a draft stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DraftRefusal {
    #[error("the draft is at revision {current}, which is not the one you named: read it again and repeat your change on that")]
    Stale { current: u64 },
    #[error("the definition is archived and stays as it is: make a new one")]
    Archived,
}

impl Refusal for DraftRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Stale { .. } => "stale_revision",
            Self::Archived => "definition_archived",
        }
    }

    fn kind(&self) -> RefusalKind {
        match self {
            Self::Stale { .. } => RefusalKind::Stale,
            Self::Archived => RefusalKind::Conflict,
        }
    }
}
