use crate::decide::{Refusal, RefusalKind};

/// Why a series stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SeriesRefusal {
    #[error("there is no such series")]
    Missing,
    #[error("a series with this id exists already")]
    Exists,
    #[error("the series is at revision {current}, which is not the one you named: read it again and repeat your change on that")]
    Stale { current: u64 },
}

impl Refusal for SeriesRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::Missing => "series_missing",
            Self::Exists => "series_exists",
            Self::Stale { .. } => "stale_revision",
        }
    }

    fn kind(&self) -> RefusalKind {
        match self {
            Self::Missing => RefusalKind::Missing,
            Self::Exists => RefusalKind::Conflict,
            Self::Stale { .. } => RefusalKind::Stale,
        }
    }
}
