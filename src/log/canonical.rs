//! The bytes of an event that its hash covers, exactly as the schema's `leasehold_canonical` makes them.

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

/// Microseconds between the Unix epoch and PostgreSQL's, the first of January 2000.
const POSTGRES_EPOCH: i64 = 946_684_800_000_000;

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
        let header = format!(
            "{} {} {} {} {} {}\n",
            self.aggregate_type.len(),
            self.aggregate_id.len(),
            self.sequence,
            self.event_type.len(),
            self.event_version.len(),
            self.payload.len(),
        );
        let mut hash = Sha256::new();
        hash.update(front);
        hash.update(self.position.to_be_bytes());
        hash.update((self.recorded_at.timestamp_micros() - POSTGRES_EPOCH).to_be_bytes());
        for text in
            [&header, self.aggregate_type, self.aggregate_id, self.event_type, self.event_version, self.payload, self.metadata]
        {
            hash.update(text.as_bytes());
        }
        hash.finalize().to_vec()
    }
}
