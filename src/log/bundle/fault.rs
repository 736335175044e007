//! What is wrong with a bundle, and where.

use std::fmt;

use uuid::Uuid;

use crate::log::keys::SignatureFault;

/// The first thing found wrong, reading from the front.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{part}: {wrong}")]
pub struct BundleFault {
    pub part: Part,
    pub wrong: Wrong,
}

/// A part of a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Header,
    /// The event at this position of the log.
    Event(u64),
    Note(Uuid),
    Trailer,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => write!(f, "the header"),
            Self::Event(position) => write!(f, "the event at position {position}"),
            Self::Note(id) => write!(f, "the note {id}"),
            Self::Trailer => write!(f, "the trailer"),
        }
    }
}

/// What can be wrong with a part.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    #[error("it is not as it was written")]
    Changed,
    #[error("the file ends before it is through")]
    CutOff,
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    #[error("its format is not one that this program reads")]
    Format,
    #[error("it is not the one that the header lists")]
    Unlisted,
    #[error("its hash does not follow from what it says")]
    Hash,
    #[error("it does not follow the event in front of it")]
    Chain,
    #[error("it is recorded before the event in front of it")]
    Instant,
    #[error("it does not lie behind the event in front of it")]
    Order,
    #[error("it is number {found} of its stream, and number {expected} is missing")]
    Sequence { expected: u64, found: u64 },
    #[error("the opening of the log is not in the bundle, or opens another log")]
    OtherLog,
    #[error("there is no event of the stream that the bundle is about")]
    NoSubject,
    #[error("there are events beyond the head")]
    BeyondHead,
    #[error("no event in the bundle names it with this text")]
    Digest,
    #[error("there is no signature")]
    Unsigned,
    #[error(transparent)]
    Signature(#[from] SignatureFault),
}

impl Wrong {
    pub(super) fn of(self, part: Part) -> BundleFault {
        BundleFault { part, wrong: self }
    }
}
