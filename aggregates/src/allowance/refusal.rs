use crate::decide::{Refusal, RefusalKind};

/// Why a draw is not to be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AllowanceRefusal {
    #[error("{amount} more would be over the {cap} of this day, of which {drawn} are spent")]
    Spent { amount: u64, drawn: u64, cap: u64 },
}

impl Refusal for AllowanceRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Spent { .. } => "over_day_cap",
        }
    }

    fn kind(&self) -> RefusalKind {
        RefusalKind::Conflict
    }
}
