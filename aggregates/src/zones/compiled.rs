//! Rules from a compiled zone file.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::is_zone_name;
use super::table::{FIRST_SECOND, LAST_SECOND, Step, Table};

/// Largest zone file that is read; real ones have some four thousand bytes.
pub const MAX_FILE_BYTES: usize = 64 * 1024;

/// Why a file gives no rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ZoneFileFault {
    #[error("{0:?} is no name of a time zone such as Europe/Berlin")]
    Name(String),
    #[error("the zone file of {name} has {bytes} bytes, and at most {MAX_FILE_BYTES} are read")]
    TooLarge { name: String, bytes: usize },
    #[error("the zone file of {name} counts leap seconds, and instants here do not: use the files that leave them out")]
    LeapSeconds { name: String },
    #[error("the zone file of {name} cannot be read: {reason}")]
    Unreadable { name: String, reason: String },
}

pub fn read(name: &str, bytes: &[u8]) -> Result<Table, ZoneFileFault> {
    let named = || name.chars().take(64).collect();
    if !is_zone_name(name) {
        return Err(ZoneFileFault::Name(named()));
    }
    if bytes.len() > MAX_FILE_BYTES {
        return Err(ZoneFileFault::TooLarge { name: named(), bytes: bytes.len() });
    }
    if counts_leap_seconds(bytes) {
        return Err(ZoneFileFault::LeapSeconds { name: named() });
    }
    let unreadable = |error: jiff::Error| ZoneFileFault::Unreadable { name: named(), reason: error.to_string() };
    let zone = TimeZone::tzif(name, bytes).map_err(unreadable)?;
    let start = Timestamp::from_second(FIRST_SECOND).map_err(unreadable)?;
    let changes = zone
        .following(start)
        .map(|change| Step { from: change.timestamp().as_second(), offset: i64::from(change.offset().seconds()) });
    let first = i64::from(zone.to_offset(start).seconds());
    Ok(Table::of(first, changes.take_while(|step| step.from <= LAST_SECOND)))
}

/// Length of a header of such a file; six counts of four bytes end it.
const HEADER: usize = 44;

/// Whether either of the file's two headers announces leap seconds. A file that ends too early announces none here, and
/// cannot be read afterwards.
fn counts_leap_seconds(bytes: &[u8]) -> bool {
    let of_first = counts(bytes);
    let second = of_first
        .map(|[ut, std, leap, times, types, chars]| HEADER.saturating_add(times * 5 + types * 6 + chars + leap * 8 + std + ut));
    let of_second = second.and_then(|at| counts(bytes.get(at..)?));
    [of_first, of_second].into_iter().flatten().any(|[_, _, leap, ..]| leap > 0)
}

/// How many of each kind follow: indicators (two kinds), leap seconds, changes, kinds of time, letters.
fn counts(header: &[u8]) -> Option<[usize; 6]> {
    let counts = header.get(HEADER - 24..HEADER).filter(|_| header.starts_with(b"TZif"))?;
    let mut numbers = counts.chunks_exact(4).map(|bytes| bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)));
    Some(std::array::from_fn(|_| numbers.next().unwrap_or_default()))
}
