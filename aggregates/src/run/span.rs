//! Spans of time.

use chrono::TimeDelta;

/// A span; one that is longer than a century is cut to it, which is more than any setting allows.
pub(super) fn seconds(count: u64) -> TimeDelta {
    TimeDelta::seconds(i64::try_from(count).unwrap_or(i64::MAX).min(3_155_760_000))
}

/// The same of milliseconds.
pub(super) fn milliseconds(count: u64) -> TimeDelta {
    TimeDelta::milliseconds(i64::try_from(count).unwrap_or(i64::MAX).min(3_155_760_000_000))
}
