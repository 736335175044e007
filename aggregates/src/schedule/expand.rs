//! From a schedule to its occurrences. Pure: the same schedule, zone and window give the same answer on any machine.

use std::ops::Range;

use chrono::{DateTime, Datelike, Days, NaiveDate, Utc};

use super::{LocalDateTime, Schedule, Weekday};
use crate::zones::{DstAdjusted, Zone};

/// One occurrence: the authored wall clock, and the instant that follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// As authored: its identity.
    pub local: LocalDateTime,
    pub at: DateTime<Utc>,
    /// `None` where the wall clock is shown exactly once.
    pub dst_adjusted: Option<DstAdjusted>,
    /// Later wall clocks that fall on the same instant, as happens on a day that a territory skipped.
    pub merged: Vec<LocalDateTime>,
}

/// Days by which the dates looked at exceed the window: a clock may jump a day and lie a day from UTC.
const MARGIN: Days = Days::new(3);

/// The occurrences whose instant is in the window (its start included, its end not), ascending.
///
/// No authored date loses its occurrence. Two wall clocks of one instant are one occurrence, under the earlier.
pub fn expand(schedule: &Schedule, zone: Zone, window: Range<DateTime<Utc>>) -> Vec<Occurrence> {
    let mut found: Vec<Occurrence> = Vec::new();
    for local in slots(schedule, &window) {
        let occurrence = place(local, zone);
        match found.last_mut() {
            Some(last) if last.at == occurrence.at => last.merged.push(local),
            _ => found.push(occurrence),
        }
    }
    found.retain(|occurrence| window.contains(&occurrence.at));
    found
}

/// Where one authored wall clock falls.
pub fn place(local: LocalDateTime, zone: Zone) -> Occurrence {
    let at = zone.first_at_or_past(local.0);
    let dst_adjusted = if zone.wall_clock(at) != local.0 {
        Some(DstAdjusted::Gap)
    } else if zone.shows_again(local.0, at) {
        Some(DstAdjusted::Fold)
    } else {
        None
    };
    Occurrence { local, at, dst_adjusted, merged: Vec::new() }
}

/// Authored wall clocks that may fall into the window, ascending.
fn slots(schedule: &Schedule, window: &Range<DateTime<Utc>>) -> Vec<LocalDateTime> {
    let on = |time: super::LocalTime| move |date: NaiveDate| LocalDateTime(date.and_time(time.0));
    match schedule {
        Schedule::Manual {} => Vec::new(),
        Schedule::Once { at } => vec![*at],
        Schedule::Weekly { days, time } => {
            dates(window).filter(|date| days.contains(&Weekday::of(*date))).map(on(*time)).collect()
        }
        Schedule::Monthly { nth, weekday, time } => {
            dates(window).filter(|date| is_nth(*date, *nth, *weekday)).map(on(*time)).collect()
        }
    }
}

fn dates(window: &Range<DateTime<Utc>>) -> impl Iterator<Item = NaiveDate> {
    let first = window.start.date_naive();
    let last = window.end.date_naive();
    let first = first.checked_sub_days(MARGIN).unwrap_or(first);
    let last = last.checked_add_days(MARGIN).unwrap_or(last);
    first.iter_days().take_while(move |date| *date <= last)
}

/// Whether the date is the `nth` such weekday of its month; -1 is the last.
fn is_nth(date: NaiveDate, nth: i8, weekday: Weekday) -> bool {
    let place_in_month = date.day0() / 7 + 1;
    let last = date.checked_add_days(Days::new(7)).is_none_or(|next| next.month() != date.month());
    Weekday::of(date) == weekday && if nth == -1 { last } else { i64::from(nth) == i64::from(place_in_month) }
}

impl Weekday {
    pub fn of(date: NaiveDate) -> Self {
        match date.weekday() {
            chrono::Weekday::Mon => Self::Monday,
            chrono::Weekday::Tue => Self::Tuesday,
            chrono::Weekday::Wed => Self::Wednesday,
            chrono::Weekday::Thu => Self::Thursday,
            chrono::Weekday::Fri => Self::Friday,
            chrono::Weekday::Sat => Self::Saturday,
            chrono::Weekday::Sun => Self::Sunday,
        }
    }
}
