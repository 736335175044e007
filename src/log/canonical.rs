//! The bytes of an event that its hash covers, exactly as the schema's `leasehold_canonical` makes them.

use std::io::Write;

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

/// Microseconds between the Unix epoch and PostgreSQL's, the first of January 2000.
const POSTGRES_EPOCH: i64 = 946_684_800_000_000;
/// Six numbers of at most twenty digits, each with what follows it, fit.
const HEADER: usize = 128;

/// One event's fields, as stored: texts are the very bytes in the row.
pub(crate) struct Canonical<'a> {
    pub position: i64,
    pub recorded_at: DateTime<Utc>,
    pub aggregate_type: &'a str,
    pub aggregate_id: &'a str,
    pub sequence: i64,
    pub event_type: &'a str,
    pub event_version: &'a str,
    pub payload: &'a str,
    pub metadata: &'a str,
}

impl Canonical<'_> {
    /// Hash of this event behind the event whose hash is `front` (empty for the very first). 32 bytes.
    pub fn hash(&self, front: &[u8]) -> Vec<u8> {
        self.digest(front).to_vec()
    }

    /// The same, without an allocation.
    pub fn digest(&self, front: &[u8]) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(front);
        hash.update(self.position.to_be_bytes());
        hash.update((self.recorded_at.timestamp_micros() - POSTGRES_EPOCH).to_be_bytes());
        let mut header = [0; HEADER];
        let length = self.header(&mut header);
        hash.update(&header[..length]);
        for text in [self.aggregate_type, self.aggregate_id, self.event_type, self.event_version, self.payload, self.metadata] {
            hash.update(text.as_bytes());
        }
        hash.finalize().into()
    }

    /// Writes the line of lengths and says how long it is.
    fn header(&self, into: &mut [u8; HEADER]) -> usize {
        let mut rest = &mut into[..];
        let written = writeln!(
            rest,
            "{} {} {} {} {} {}",
            self.aggregate_type.len(),
            self.aggregate_id.len(),
            self.sequence,
            self.event_type.len(),
            self.event_version.len(),
            self.payload.len(),
        );
        debug_assert!(written.is_ok(), "six numbers fit");
        HEADER - rest.len()
    }
}

/// The instant that is `micros` microseconds past PostgreSQL's epoch; none beyond what a calendar can say.
pub(crate) fn instant(micros: i64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_micros(micros.checked_add(POSTGRES_EPOCH)?)
}
