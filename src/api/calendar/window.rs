//! The window that a calendar is looked at through: two ends, each an instant or a date of the reader's, and the zone that
//! the reader lives in.

use chrono::{DateTime, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use leasehold_aggregates::schedule::LocalDate;
use leasehold_aggregates::zones::{Zone, Zones};

use crate::api::query::Query;

/// Days that one window may span.
pub const LONGEST: TimeDelta = TimeDelta::days(400);
/// The zone of a reader who names none.
const UTC: &str = "UTC";

pub struct Window {
    /// In the window.
    pub from: DateTime<Utc>,
    /// Not in it.
    pub to: DateTime<Utc>,
    pub reader: Reader,
}

/// In whose dates an entry's day is told.
pub struct Reader(Zone);

impl Reader {
    /// `tz`; UTC where it is not given. A zone that is none is a fault, and read as UTC.
    pub fn of(query: &mut Query, zones: &Zones) -> Self {
        let name = query.text("tz", 64).unwrap_or_else(|| UTC.to_owned());
        let zone = zones.find(&name).or_else(|fault| {
            query.fault("tz", "unknown_zone", &format!("is no zone: {fault}"));
            zones.find(UTC)
        });
        Self(zone.unwrap_or_else(|_| unreachable!("every set of zones has UTC")))
    }

    /// The date that the reader's calendar shows at an instant.
    pub fn date(&self, at: DateTime<Utc>) -> String {
        LocalDate(self.0.wall_clock(at).date()).to_string()
    }

    /// The first instant of a date of the reader's.
    fn first_of(&self, date: LocalDate) -> DateTime<Utc> {
        self.0.first_at_or_past(NaiveDateTime::new(date.0, NaiveTime::MIN))
    }

    /// An end of a window: an instant, or a date, which stands for its first instant.
    fn end(&self, query: &mut Query, name: &str) -> Option<DateTime<Utc>> {
        let date = query.peek(name).and_then(|text| text.parse::<LocalDate>().ok());
        match date {
            Some(date) => query.text(name, 10).map(|_| self.first_of(date)),
            None => query.instant(name),
        }
    }
}

impl Window {
    /// `from`, `to` and `tz`; both ends are required.
    pub fn of(query: &mut Query, zones: &Zones) -> Self {
        let reader = Reader::of(query, zones);
        let mut end = |name: &str| {
            let given = query.given(name);
            let end = reader.end(query, name);
            if !given {
                query.fault(name, "required", "is required: an instant such as 2027-03-28T18:00:00Z, or a date of the reader's");
            }
            end
        };
        let (from, to) = (end("from"), end("to"));
        let (Some(from), Some(to)) = (from, to) else {
            return Self { from: DateTime::UNIX_EPOCH, to: DateTime::UNIX_EPOCH, reader };
        };
        if to <= from || to - from > LONGEST {
            query.fault("to", "out_of_range", &format!("must come after from, and by {} days at most", LONGEST.num_days()));
        }
        Self { from, to, reader }
    }
}
