//! Why the engine did not do what it was asked: a refusal with a reason, or something that is wrong.

use leasehold_aggregates::body::{Fault as BodyFault, Rejected};
use leasehold_aggregates::decide::{Refusal, RefusalKind};

use super::clock::ClockFault;
use super::streams::StreamFault;
use crate::log::{AppendError, LogError};

#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// A rule said no. Nothing is wrong with the system.
    #[error("{0}")]
    Refused(Box<dyn Refusal>),
    /// What was posted is wrong, with all its faults.
    #[error("what was sent has {} fault(s)", .0.len())]
    Invalid(Vec<BodyFault>),
    /// This role may not post what was posted, with every place.
    #[error("what was sent takes a higher role in {} place(s)", .0.len())]
    Forbidden(Vec<BodyFault>),
    /// The log could not be written in time, or somebody was faster too often; nothing was written.
    #[error("the log is busy; nothing was written")]
    Busy,
    /// A projection that this is told from does not serve yet.
    #[error("the rows that this is told from are being built: ask again")]
    NotBuilt,
    #[error("this version does not know what a staged {0:?} means")]
    UnknownItem(String),
    #[error(transparent)]
    Append(AppendError),
    #[error(transparent)]
    Stream(#[from] StreamFault),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Clock(#[from] ClockFault),
    #[error("the database did not answer as it should")]
    Database(#[from] sqlx::Error),
}

impl Fault {
    pub fn refused(refusal: impl Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }

    /// Whether it may go away by itself, so that trying again makes sense.
    pub fn passes(&self) -> bool {
        match self {
            Self::Refused(_) | Self::Invalid(_) | Self::Forbidden(_) | Self::UnknownItem(_) => false,
            Self::Stream(fault) => matches!(fault, StreamFault::Log(LogError::Database(_))),
            Self::Log(error) => matches!(error, LogError::Database(_)),
            Self::Append(error) => !matches!(error, AppendError::Malformed { .. }),
            Self::Busy | Self::NotBuilt | Self::Clock(_) | Self::Database(_) => true,
        }
    }

    /// The position of the event that this program cannot read, where that is what is wrong.
    pub fn unreadable(&self) -> Option<u64> {
        match self {
            Self::Stream(
                StreamFault::Undecodable { position, .. } | StreamFault::Log(LogError::Undecodable { position, .. }),
            )
            | Self::Log(LogError::Undecodable { position, .. }) => Some(*position),
            _ => None,
        }
    }

    /// The refusal's kind, where it is one.
    pub fn refusal_kind(&self) -> Option<RefusalKind> {
        match self {
            Self::Refused(refusal) => Some(refusal.kind()),
            _ => None,
        }
    }
}

impl From<Rejected> for Fault {
    fn from(rejected: Rejected) -> Self {
        match rejected {
            Rejected::Invalid(faults) => Self::Invalid(faults),
            Rejected::Forbidden(faults) => Self::Forbidden(faults),
        }
    }
}

impl From<AppendError> for Fault {
    fn from(error: AppendError) -> Self {
        match error {
            AppendError::Busy(_) => Self::Busy,
            other => Self::Append(other),
        }
    }
}

/// Whether an append that failed this way may be decided again on what the log holds now.
pub fn moved(error: &AppendError) -> bool {
    matches!(error, AppendError::Conflict { .. } | AppendError::Moved { .. })
}

/// An error with all its causes, for the one line at the edge where it is told.
pub fn told(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |told, cause| format!("{told}: {cause}"))
}
