//! What people do with definitions: write a draft, publish it as a version, have it tried, copy it, archive it.
//!
//! Each is one append. A draft is a row beside the log with a revision; whoever changes or publishes it names the
//! revision that they have seen.

mod archive;
mod copy;
mod create;
mod publish;
mod read;
mod refusal;
mod save;
mod verify;
mod versions;

pub use copy::CopyRequest;
pub use publish::Published;
pub use read::{Standing, Wanted};
pub use refusal::DraftRefusal;
pub use verify::Verdict;
pub use versions::{Deed, Version};

/// Where a command left the log, and which definition it was about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    pub id: String,
    /// The draft's revision afterwards.
    pub revision: u64,
    /// The log's position that shows it.
    pub position: u64,
}
