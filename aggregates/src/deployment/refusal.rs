use leasehold_module::Mark;

use crate::decide::{Refusal, RefusalKind};

/// Why the deployment stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeploymentRefusal {
    #[error("there is nothing to accept for {scope}: {seen} is in this log, which goes on to position {head}")]
    NotRewound { scope: String, seen: Mark, head: u64 },
}

impl Refusal for DeploymentRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::NotRewound { .. } => "not_rewound",
        }
    }

    fn kind(&self) -> RefusalKind {
        RefusalKind::Conflict
    }
}
