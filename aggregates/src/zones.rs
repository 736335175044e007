//! Time zones, reduced to the two questions that are asked of them: what the clocks on the wall show at an instant,
//! and when they first show a given time or a later one.

use chrono::{DateTime, Duration, NaiveDateTime, Offset, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parts of the world whose zones are taken by their full name, e.g. `Europe/Berlin`.
const AREAS: [&str; 10] =
    ["Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"];

/// Last year for which the compiled-in rules hold.
pub const LAST_YEAR: i32 = 2099;

/// Offsets lie well within a day of UTC, and the widest jump of a clock is a day.
const REACH: TimeDelta = Duration::hours(26);
/// Two changes of one zone lie further apart than this.
const STRIDE: TimeDelta = Duration::hours(3);

/// A set of zone rules, of one release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Zones;

/// One zone's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Zone(Tz);

/// How an authored wall clock was adjusted or chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DstAdjusted {
    /// It does not exist: the first one after it is taken.
    Gap,
    /// It is shown twice: the first pass is taken.
    Fold,
}

/// Why a name is no zone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ZoneFault {
    #[error("{0:?} is not taken as a time zone: write the full name of one, such as Europe/Berlin, or UTC")]
    NotAName(String),
    #[error("zone data {release} has no time zone {name:?}")]
    Unknown { name: String, release: &'static str },
}

impl Zones {
    /// Release of the zone data, e.g. `2025b`.
    pub fn release(&self) -> &'static str {
        chrono_tz::IANA_TZDB_VERSION
    }

    /// The zone of this exact name. Abbreviations, fixed offsets and names of one country's habit are refused, for
    /// they say less than an author means.
    pub fn find(&self, name: &str) -> Result<Zone, ZoneFault> {
        let whole = matches!(name, "UTC" | "Etc/UTC") || name.split_once('/').is_some_and(|(area, _)| AREAS.contains(&area));
        if !whole {
            return Err(ZoneFault::NotAName(name.chars().take(64).collect()));
        }
        let unknown = |_| ZoneFault::Unknown { name: name.chars().take(64).collect(), release: self.release() };
        name.parse().map(Zone).map_err(unknown)
    }
}

impl Zone {
    /// What the wall shows at an instant.
    pub fn wall_clock(&self, at: DateTime<Utc>) -> NaiveDateTime {
        at.naive_utc() + self.offset(at)
    }

    /// Offset from UTC in force at an instant.
    pub fn offset(&self, at: DateTime<Utc>) -> TimeDelta {
        let offset = self.0.offset_from_utc_datetime(&at.naive_utc()).fix();
        Duration::seconds(i64::from(offset.local_minus_utc()))
    }

    /// The first instant whose wall clock is at or past `local`: in a gap the transition itself, of two passes the
    /// first. Whole seconds go in, whole seconds come out.
    pub fn first_at_or_past(&self, local: NaiveDateTime) -> DateTime<Utc> {
        let mut from = local.and_utc() - REACH;
        loop {
            let reached = (local - self.offset(from)).and_utc();
            let Some(change) = self.next_change(from, reached) else { return reached };
            if self.wall_clock(change) >= local {
                return change;
            }
            from = change;
        }
    }

    /// Whether the wall shows `local` once more after `first`.
    pub fn shows_again(&self, local: NaiveDateTime, first: DateTime<Utc>) -> bool {
        let mut from = first;
        while let Some(change) = self.next_change(from, first + REACH) {
            let again = (local - self.offset(change)).and_utc();
            if again >= change && self.wall_clock(again) == local {
                return true;
            }
            from = change;
        }
        false
    }

    /// The first second after `from` and not after `to` at which another offset is in force.
    fn next_change(self, from: DateTime<Utc>, to: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let before = self.offset(from);
        let mut low = from;
        while low < to {
            let high = (low + STRIDE).min(to);
            if self.offset(high) != before {
                return Some(self.narrow(low, high));
            }
            low = high;
        }
        None
    }

    /// Halves the span until the change is found: `low` has the offset of before, `high` another.
    fn narrow(self, mut low: DateTime<Utc>, mut high: DateTime<Utc>) -> DateTime<Utc> {
        let before = self.offset(low);
        while (high - low).num_seconds() > 1 {
            let middle = low + Duration::seconds((high - low).num_seconds() / 2);
            if self.offset(middle) == before {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn local(text: &str) -> NaiveDateTime {
        text.parse().unwrap()
    }

    #[test]
    fn names_are_full_names() {
        for name in ["Europe/Berlin", "Europe/Kyiv", "Europe/Kiev", "America/Argentina/La_Rioja", "UTC", "Etc/UTC"] {
            assert!(Zones.find(name).is_ok(), "{name}");
        }
        for name in ["EST", "CET", "CEST", "EST5EDT", "Etc/GMT+5", "+01:00", "GMT", "utc", "US/Eastern", "../../etc/passwd", ""] {
            assert!(matches!(Zones.find(name), Err(ZoneFault::NotAName(_))), "{name}");
        }
        for name in ["Europe/Kiyv", "europe/berlin", "Europe/", "Europe/../Berlin", "Mars/Olympus_Mons"] {
            assert!(Zones.find(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_gap_ends_at_the_change_and_a_fold_takes_the_first_pass() {
        let berlin = Zones.find("Europe/Berlin").unwrap();
        assert_eq!(berlin.first_at_or_past(local("2027-03-28T02:30:00")), at("2027-03-28T01:00:00Z"));
        assert_eq!(berlin.first_at_or_past(local("2027-10-31T02:30:00")), at("2027-10-31T00:30:00Z"));
        assert!(berlin.shows_again(local("2027-10-31T02:30:00"), at("2027-10-31T00:30:00Z")));
        assert!(!berlin.shows_again(local("2027-10-31T03:00:00"), at("2027-10-31T02:00:00Z")));
    }

    #[test]
    fn rules_hold_to_the_last_year() {
        let berlin = Zones.find("Europe/Berlin").unwrap();
        assert_eq!(berlin.wall_clock(at("2099-07-01T12:00:00Z")), local("2099-07-01T14:00:00"));
        assert_eq!(berlin.wall_clock(at("2099-12-01T12:00:00Z")), local("2099-12-01T13:00:00"));
        assert_eq!(berlin.first_at_or_past(local("2099-03-29T02:30:00")), at("2099-03-29T01:00:00Z"));
    }
}
