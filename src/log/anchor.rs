//! A place in the log that is kept outside of it: what shows that a tail was cut off, or that all of it was written anew.

use std::fmt;
use std::str::FromStr;

use super::stream::Head;

/// A position and the hash that the event there had. Written `POSITION:HASH`.
///
/// ```
/// use leasehold::log::Anchor;
///
/// let text = format!("17:{}", "0a".repeat(32));
/// let anchor: Anchor = text.parse().unwrap();
/// assert_eq!((anchor.position, anchor.to_string()), (17, text));
/// assert!("17:0a".parse::<Anchor>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anchor {
    pub position: u64,
    pub hash: [u8; 32],
}

/// A text that names no place in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a head is written POSITION:HASH, the hash in 64 hexadecimal digits, as `leasehold log head` prints it under \"head\"")]
pub struct NoAnchor;

impl FromStr for Anchor {
    type Err = NoAnchor;

    fn from_str(text: &str) -> Result<Self, NoAnchor> {
        let (position, hash) = text.split_once(':').ok_or(NoAnchor)?;
        if !position.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NoAnchor);
        }
        Ok(Self { position: position.parse().map_err(|_| NoAnchor)?, hash: digest(hash).ok_or(NoAnchor)? })
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.position, hex::encode(self.hash))
    }
}

impl From<&Head> for Anchor {
    /// A head's hash has 32 bytes; the schema admits no other.
    fn from(head: &Head) -> Self {
        let mut hash = [0; 32];
        let known = head.hash.len().min(32);
        hash[..known].copy_from_slice(&head.hash[..known]);
        Self { position: head.position, hash }
    }
}

/// Thirty-two bytes, from 64 hexadecimal digits.
pub(crate) fn digest(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).ok().map(|()| bytes)
}
