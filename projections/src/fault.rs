//! Why a projection stops, or cannot go on for the moment.

use leasehold_aggregates::event::DecodeFault;
use leasehold_aggregates::target::TargetFault;

/// What went wrong while events were applied. Nothing of the batch is kept.
#[derive(Debug, thiserror::Error)]
pub enum ProjectionFault {
    /// This event cannot be used. The projection stops in front of it until a program comes that can.
    #[error("the event at position {position} cannot be used")]
    Event { position: u64, source: EventFault },
    #[error("the database did not take a projection's rows")]
    Database(#[from] sqlx::Error),
}

/// What is wrong with one event.
#[derive(Debug, thiserror::Error)]
pub enum EventFault {
    #[error(transparent)]
    Decode(#[from] DecodeFault),
    #[error("its metadata are not a flat map of strings")]
    Metadata(#[source] serde_json::Error),
    /// The row and the log disagree: applying it would count something twice or leave something out.
    #[error("its row stands at sequence {stands}, and sequence {sequence} does not follow")]
    OutOfStep { stands: u64, sequence: u64 },
    /// The stream does not begin as streams of its kind do.
    #[error("its stream does not begin with {0}")]
    NeverBegun(&'static str),
    #[error(transparent)]
    Target(#[from] TargetFault),
    /// A row's own state was not written by this version of the projection.
    #[error("the state beside its row cannot be read or written")]
    State(#[from] serde_json::Error),
}

impl ProjectionFault {
    /// Whether trying the same again ends the same way: the event, or a value in it that the database refuses (classes 22
    /// and 23 of its errors). Anything else is a database that is away or busy.
    pub fn lasting(&self) -> bool {
        match self {
            Self::Event { .. } => true,
            Self::Database(sqlx::Error::Database(refusal)) => {
                refusal.code().is_some_and(|code| code.starts_with("22") || code.starts_with("23"))
            }
            Self::Database(error) => matches!(error, sqlx::Error::Encode(_)),
        }
    }
}
