//! The one sentence of recurrence, *an occurrence is the first instant whose wall clock is at or past the authored one*,
//! held against a walk by minute over clocks that are read from the zone data directly.
//!
//! The usual run walks around each shape of change once, and around a sample of slots. With `LEASEHOLD_SOAK` set it walks
//! around every change of every zone from 1970 to 2099, and a million slots are resolved: `make soak`.
//!
//! Beside it, whole schedules over ten years against an expansion that goes through the days one by one.
#![allow(clippy::unwrap_used, reason = "a test says by panicking that it failed")]

mod chance;
mod changes;
mod clock;
mod expansion;
mod naive;
mod slots;

use leasehold_aggregates::schedule::{LocalDateTime, Occurrence, place};
use leasehold_aggregates::zones::Zone;

/// Whether everything is to be walked.
fn soak() -> bool {
    std::env::var_os("LEASEHOLD_SOAK").is_some()
}

/// What the engine makes of a wall clock, told as seconds since 1970 as if it were UTC: the second, and how it was
/// adjusted.
fn placed(zone: &Zone, local: i64) -> (i64, Option<&'static str>) {
    let local = chrono::DateTime::from_timestamp(local, 0).unwrap().naive_utc();
    let Occurrence { at, dst_adjusted, .. } = place(LocalDateTime(local), zone);
    (at.timestamp(), dst_adjusted.map(Into::into))
}
