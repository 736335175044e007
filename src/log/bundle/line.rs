//! The lines of a bundle, as they are written.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::log::anchor::digest;

/// Between what a header or a trailer says and its own sha256.
const CHECK: &str = ",\"check\":\"";
/// The sha256 in hexadecimal, and the end of the line.
const CHECKED: usize = CHECK.len() + 64 + "\"}".len();

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Header {
    pub format: String,
    pub log: Uuid,
    pub subject: Stream,
    pub exported_at: DateTime<Utc>,
    pub head: Place,
    /// One for each event, in order.
    pub events: Vec<EventEntry>,
    /// One for each note, in order.
    pub notes: Vec<NoteEntry>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Stream {
    pub aggregate_type: String,
    pub aggregate_id: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    pub position: u64,
    pub hash: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventEntry {
    pub position: u64,
    /// Of the line, its end included; so is the sha256.
    pub bytes: usize,
    pub sha256: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NoteEntry {
    pub note: Uuid,
    pub bytes: usize,
    pub sha256: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct EventLine {
    pub position: u64,
    pub recorded_at: DateTime<Utc>,
    pub aggregate_type: String,
    pub aggregate_id: String,
    pub sequence: u64,
    #[serde(rename = "type")]
    pub event_type: String,
    pub version: String,
    /// The text that was hashed, as a string.
    pub payload: String,
    pub metadata: String,
    pub previous: Option<String>,
    pub hash: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct NoteLine {
    pub note: Uuid,
    pub salt: Option<String>,
    pub body: Option<String>,
    pub written_by: String,
    pub written_at: DateTime<Utc>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Trailer {
    /// Of all lines before this one.
    pub sha256: String,
    pub public_key: Option<String>,
    pub signature: Option<String>,
}

/// One line with its end.
pub(super) fn plain(line: &impl Serialize) -> Result<Vec<u8>, serde_json::Error> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    Ok(text)
}

/// One line with its end, that holds its own sha256.
pub(super) fn checked(line: &impl Serialize) -> Result<Vec<u8>, serde_json::Error> {
    let mut text = serde_json::to_vec(line)?;
    // The brace that closes it comes again behind the check.
    text.pop();
    let check = hex::encode(Sha256::digest(&text));
    text.extend_from_slice(format!("{CHECK}{check}\"}}\n").as_bytes());
    Ok(text)
}

/// What a checked line (its end left out) says, without its check; none if it does not hold.
pub(super) fn unchecked(line: &[u8]) -> Option<Vec<u8>> {
    let (said, check) = line.split_at_checked(line.len().checked_sub(CHECKED)?)?;
    let check = check.strip_prefix(CHECK.as_bytes())?.strip_suffix(b"\"}")?;
    // Digits are compared as they are written: another case is another byte.
    let holds = hex::encode(Sha256::digest(said)).as_bytes() == check;
    holds.then(|| [said, b"}"].concat())
}

/// Thirty-two bytes, if the digits are written as they are here: in lower case.
pub(super) fn written_digest(text: &str) -> Option<[u8; 32]> {
    digest(text).filter(|bytes| hex::encode(bytes) == text)
}
