//! Clocks read straight from the zone data, and walked by hand.

use std::collections::BTreeMap;

use chrono::{DateTime, LocalResult, Offset, TimeZone};
use chrono_tz::Tz;

/// Hours of wall clocks that are asked for before and after a change.
pub const ASKED: i64 = 26;
/// Hours that are walked before and after it: a clock lies a day from UTC at most and jumps a day at most.
const WALKED: i64 = 56;
const HOUR: i64 = 3_600;

/// What the wall shows, as seconds since 1970 as if it were UTC.
pub fn wall(zone: Tz, second: i64) -> i64 {
    let at = DateTime::from_timestamp(second, 0).unwrap().naive_utc();
    second + i64::from(zone.offset_from_utc_datetime(&at).fix().local_minus_utc())
}

/// What the zone data itself says of a wall clock; the first second after a gap is walked to.
pub fn said(tz: Tz, local: i64) -> (i64, Option<&'static str>) {
    match tz.from_local_datetime(&DateTime::from_timestamp(local, 0).unwrap().naive_utc()) {
        LocalResult::Single(at) => (at.timestamp(), None),
        LocalResult::Ambiguous(first, second) => (first.timestamp().min(second.timestamp()), Some("fold")),
        LocalResult::None => (walked(tz, local), Some("gap")),
    }
}

/// The first second whose wall clock is at or past `local`, step by step.
pub fn walked(tz: Tz, local: i64) -> i64 {
    let mut from = local - 26 * 3_600;
    while wall(tz, from) < local {
        from += if wall(tz, from + 60) < local { 60 } else { 1 };
    }
    from
}

/// The clocks of some days, minute by minute; by half minutes where some offset is none of whole minutes.
pub struct Walk {
    shown: Vec<(i64, i64)>,
    last_shown: BTreeMap<i64, i64>,
    step: i64,
}

impl Walk {
    pub fn around(zone: Tz, middle: i64) -> Self {
        let whole = |second: i64| (wall(zone, second) - second) % 60 == 0;
        let step = if whole(middle - HOUR) && whole(middle) { 60 } else { 30 };
        let start = middle - middle.rem_euclid(step) - WALKED * HOUR;
        let seconds = (0..2 * WALKED * HOUR / step).map(|minute| start + minute * step);
        let shown: Vec<(i64, i64)> = seconds.map(|second| (second, wall(zone, second))).collect();
        let last_shown = shown.iter().map(|(second, wall)| (*wall, *second)).collect();
        Self { shown, last_shown, step }
    }

    /// Every minute that may be asked for within [`ASKED`] hours of the middle, with the first second whose wall clock is
    /// at or past it, and how it was adjusted.
    pub fn expected(&self) -> Vec<(i64, i64, Option<&'static str>)> {
        let middle = self.shown.len() / 2;
        let (before, after) = (self.shown[middle - 1].1, self.shown[middle].1);
        let (first, last) = (before.min(after) - ASKED * HOUR, before.max(after) + ASKED * HOUR);
        let mut here = 0;
        let mut expected = Vec::new();
        for local in (first - first.rem_euclid(60)..=last).step_by(60) {
            while self.shown[here].1 < local {
                here += 1;
            }
            let (second, wall) = self.shown[here];
            let again = self.last_shown.get(&local).is_some_and(|last| *last > second);
            let adjusted = if wall == local { again.then_some("fold") } else { Some("gap") };
            expected.push((local, second, adjusted));
        }
        assert!(here > 0 && here + 1 < self.shown.len(), "the walk is long enough");
        expected
    }

    pub fn step(&self) -> i64 {
        self.step
    }
}
