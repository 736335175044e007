//! A bundle: some streams of the log whole, in one file that an auditor can check and replay without a database.
//!
//! JSON Lines. The *header* names the log, what the bundle is about, the head when it was made, and for each line behind it
//! how long it is and its sha256 (the manifest). Then the *events*, in the order of their positions, each with its texts as
//! they were hashed, its hash and the hash in front of it. Then the *notes*, if they were asked for. The *trailer* holds
//! the sha256 of all lines before it and, where somebody signed, the signature. Header and trailer end with the sha256 of
//! themselves. So whatever byte is changed, it is known in which line.
//!
//! What a bundle proves by itself: that no event in it was changed without changing its hash, that no event of its streams
//! is missing before the last one in it, and that events which were neighbours in the log still fit together. With a
//! signature: that the holder of the key exported just this. What it cannot prove by itself is that the log holds the same
//! events: for that there is [`Bundle::differs_from`].

mod against;
mod check;
mod fault;
mod gather;
mod line;
mod notes;
mod open;
mod write;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::anchor::Anchor;
use super::keys::Signed;
use super::stream::{Recorded, StreamId};

pub use against::AgainstError;
pub use fault::{BundleFault, Part, Wrong};
pub use gather::{BundleRequest, ExportError};
pub use notes::note_digest;

/// What the file is, and the first line of what is signed.
const FORMAT: &str = "leasehold-bundle-1";

/// A bundle that was found in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Bundle {
    /// The id of the log that it was taken from.
    pub log: Uuid,
    /// The stream that it is about.
    pub subject: StreamId,
    pub exported_at: DateTime<Utc>,
    /// The newest event of the log when it was made.
    pub head: Anchor,
    /// In the order of their positions.
    pub events: Vec<BundledEvent>,
    pub notes: Vec<BundledNote>,
    /// The sha256 of all lines but the last.
    pub digest: [u8; 32],
    /// None where nobody signed.
    pub signed: Option<Signed>,
}

/// An event with the texts that were hashed.
#[derive(Debug, Clone, PartialEq)]
pub struct BundledEvent {
    pub recorded: Recorded,
    /// The stored text of the payload, and of the metadata.
    pub texts: (String, String),
    pub hash: [u8; 32],
    /// Hash of the event in front of it in the log; none in front of the first.
    pub previous: Option<[u8; 32]>,
}

/// A text beside the log that an event of the bundle names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundledNote {
    pub id: Uuid,
    /// Salt and text; none once the note was erased.
    pub words: Option<(Vec<u8>, String)>,
    pub written_by: String,
    pub written_at: DateTime<Utc>,
}

impl Bundle {
    /// The events as the log would give them.
    pub fn recorded(&self) -> Vec<Recorded> {
        self.events.iter().map(|event| event.recorded.clone()).collect()
    }

    /// The events of one stream, in order.
    pub fn stream(&self, stream: &StreamId) -> Vec<Recorded> {
        let of = self.events.iter().filter(|event| event.recorded.stream == *stream);
        of.map(|event| event.recorded.clone()).collect()
    }
}

/// What is signed: two lines, each with its end.
fn signed_text(digest: &[u8; 32]) -> String {
    format!("{FORMAT}\nsha256 {}\n", hex::encode(digest))
}
