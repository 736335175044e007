//! Ids of the streams of reservations.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Most bytes of a stream's id.
const MOST: usize = 512;

const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b':');

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the concurrency key takes {0} bytes once encoded, and at most {MOST} fit")]
pub struct KeyTooLong(pub usize);

/// Id of a concurrency key's stream: the key, percent-encoded.
pub fn slot_id(key: &str) -> Result<String, KeyTooLong> {
    let id = utf8_percent_encode(key, PLAIN).to_string();
    if id.len() > MOST { Err(KeyTooLong(id.len())) } else { Ok(id) }
}

/// Id of a slug's stream: `definition/harvest-party`. A slug needs no encoding.
pub fn slug_id(kind: &str, slug: &str) -> String {
    format!("{kind}/{slug}")
}
