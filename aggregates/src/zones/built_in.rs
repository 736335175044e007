//! The rules that are compiled in.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use chrono::{DateTime, Offset, TimeZone};
use chrono_tz::{TZ_VARIANTS, Tz};

use super::is_zone_name;
use super::table::{FIRST_SECOND, LAST_SECOND, Step, Table};

pub const RELEASE: &str = chrono_tz::IANA_TZDB_VERSION;

/// Seconds between two looks for a change. No two changes of a zone have ever been nearer than six days, nor will they be
/// in this release.
const STRIDE: i64 = 2 * 86_400;

/// Tables are worked out when they are first asked for: the answer never changes, so nobody sees that it is kept.
type Known = BTreeMap<&'static str, (Tz, OnceLock<Arc<Table>>)>;

fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let taken = TZ_VARIANTS.iter().filter(|zone| is_zone_name(zone.name()));
        taken.map(|zone| (zone.name(), (*zone, OnceLock::new()))).collect()
    })
}

pub fn names() -> Vec<&'static str> {
    known().keys().copied().collect()
}

pub fn table(name: &str) -> Option<Arc<Table>> {
    let (zone, table) = known().get(name)?;
    Some(table.get_or_init(|| Arc::new(walk(*zone))).clone())
}

/// Goes through the years and finds each change to the second.
fn walk(zone: Tz) -> Table {
    let first = offset(zone, FIRST_SECOND);
    let mut before = first;
    let mut changes = Vec::new();
    let mut low = FIRST_SECOND;
    while low < LAST_SECOND {
        let high = low + STRIDE;
        let after = offset(zone, high);
        if after != before {
            changes.push(Step { from: narrow(zone, low, high), offset: after });
        }
        (low, before) = (high, after);
    }
    Table::of(first, changes)
}

/// Halves the span until the change is found: `low` has the offset of before, `high` another.
fn narrow(zone: Tz, mut low: i64, mut high: i64) -> i64 {
    let before = offset(zone, low);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if offset(zone, middle) == before {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

fn offset(zone: Tz, second: i64) -> i64 {
    let at = DateTime::from_timestamp(second, 0).unwrap_or_default();
    i64::from(zone.offset_from_utc_datetime(&at.naive_utc()).fix().local_minus_utc())
}
