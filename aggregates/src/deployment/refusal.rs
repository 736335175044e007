use chrono::{DateTime, Utc};
use leasehold_module::Mark;

use uuid::Uuid;

use super::StopRuns;
use super::freeze::MOST_OPEN;

use crate::decide::{Refusal, RefusalKind};

/// Why the deployment stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeploymentRefusal {
    #[error("there is nothing to accept for {scope}: {seen} is in this log, which goes on to position {head}")]
    NotRewound { scope: String, seen: Mark, head: u64 },
    #[error("a freeze ends after it begins: {to} does not come after {from}")]
    NoWindow { from: DateTime<Utc>, to: DateTime<Utc> },
    #[error("a freeze that ends at {to} is over already: it is {now}")]
    WindowOver { to: DateTime<Utc>, now: DateTime<Utc> },
    #[error("there are {MOST_OPEN} freezes ahead or in force, and no more are taken: lift one first")]
    TooManyFreezes,
    #[error("everything is stopped already (stop {stop}, runs: {runs}); only a stop that does more takes its place")]
    Stopped { stop: Uuid, runs: StopRuns },
    #[error("nothing is stopped: there is nothing to lift")]
    NotStopped,
    #[error("there is no such freeze")]
    NoFreeze,
    #[error("this freeze was over at {to}, and what it held up has been told so: it cannot be lifted any more")]
    FreezeOver { to: DateTime<Utc> },
}

impl Refusal for DeploymentRefusal {
    fn code(&self) -> &'static str {
        match self {
            Self::NotRewound { .. } => "not_rewound",
            Self::NoWindow { .. } => "out_of_range",
            Self::WindowOver { .. } => "in_the_past",
            Self::TooManyFreezes => "too_many_freezes",
            Self::Stopped { .. } => "already_stopped",
            Self::NotStopped => "not_stopped",
            Self::NoFreeze => "not_found",
            Self::FreezeOver { .. } => "freeze_over",
        }
    }

    fn kind(&self) -> RefusalKind {
        match self {
            Self::Stopped { .. }
            | Self::NotStopped
            | Self::NotRewound { .. }
            | Self::TooManyFreezes
            | Self::FreezeOver { .. } => RefusalKind::Conflict,
            Self::NoFreeze => RefusalKind::Missing,
            Self::NoWindow { .. } | Self::WindowOver { .. } => RefusalKind::Invalid,
        }
    }

    fn pointer(&self) -> Option<String> {
        (self.kind() == RefusalKind::Invalid).then(|| "/to".to_owned())
    }
}
