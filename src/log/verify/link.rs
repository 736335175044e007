//! One row as the check reads it: in place, its texts as they were hashed.

use sqlx::postgres::PgRow;
use sqlx::{Row, ValueRef};

use crate::log::canonical::{Canonical, instant};

/// The rows from a position on, that one included. All values come in their binary form, which for `json` is its text.
pub(super) const SELECT: &str = "
select position, recorded_at, aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata, hash
from public.events where position >= $1 order by position limit $2";

/// An event's fields beside the hash that is stored with them.
pub(super) struct Link<'r> {
    pub event: Canonical<'r>,
    pub hash: &'r [u8],
}

impl<'r> Link<'r> {
    /// None where a field is missing, is no text or lies beyond the calendar: no such event can be recorded.
    pub fn of(row: &'r PgRow) -> Option<Self> {
        let event = Canonical {
            position: position(row)?,
            recorded_at: instant(number(row, 1)?)?,
            aggregate_type: text(row, 2)?,
            aggregate_id: text(row, 3)?,
            sequence: number(row, 4)?,
            event_type: text(row, 5)?,
            event_version: text(row, 6)?,
            payload: text(row, 7)?,
            metadata: text(row, 8)?,
        };
        Some(Self { event, hash: bytes(row, 9)? })
    }
}

/// Where the row says that it lies.
pub(super) fn position(row: &PgRow) -> Option<i64> {
    number(row, 0)
}

fn number(row: &PgRow, column: usize) -> Option<i64> {
    Some(i64::from_be_bytes(bytes(row, column)?.try_into().ok()?))
}

fn text(row: &PgRow, column: usize) -> Option<&str> {
    std::str::from_utf8(bytes(row, column)?).ok()
}

fn bytes(row: &PgRow, column: usize) -> Option<&[u8]> {
    let value = row.try_get_raw(column).ok()?;
    if value.is_null() { None } else { value.as_bytes().ok() }
}
