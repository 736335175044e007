//! Which dates a pattern has: by turns, a week or a month each, so that any turn is reached without those before it.

use chrono::{Datelike, Days, NaiveDate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The dates of one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// These days of a week; in week order, none twice, at least one.
    Weekly { days: Vec<Weekday> },
    /// One day of a month, which every month has.
    Monthly { day: MonthDay },
}

/// A day that every month has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MonthDay {
    /// The `nth` (1 to 4, or -1 for the last) such weekday.
    Nth { nth: i8, weekday: Weekday },
    /// This day, 1 to 28, or -1 for the last.
    Day(i8),
}

/// A day of the week; a week starts on Monday.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, strum::EnumIter, strum::IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Weekday {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

impl Pattern {
    /// The turn that holds a date: weeks or months since some fixed one.
    pub fn turn(&self, date: NaiveDate) -> i64 {
        match self {
            Self::Weekly { .. } => (i64::from(date.num_days_from_ce()) - 1).div_euclid(7),
            Self::Monthly { .. } => i64::from(date.year()) * 12 + i64::from(date.month0()),
        }
    }

    /// The dates of a turn, ascending; as many in every turn. None where the calendar ends.
    pub fn dates(&self, turn: i64) -> Vec<NaiveDate> {
        match self {
            Self::Weekly { days } => {
                let date = |day: &Weekday| NaiveDate::from_num_days_from_ce_opt(i32::try_from(turn * 7 + 1).ok()? + *day as i32);
                days.iter().filter_map(date).collect()
            }
            Self::Monthly { day } => day.of_month(turn).into_iter().collect(),
        }
    }
}

impl MonthDay {
    fn of_month(self, turn: i64) -> Option<NaiveDate> {
        let first_of = |turn: i64| {
            let month = u32::try_from(turn.rem_euclid(12)).ok()? + 1;
            NaiveDate::from_ymd_opt(i32::try_from(turn.div_euclid(12)).ok()?, month, 1)
        };
        let first = first_of(turn)?;
        let last = || first_of(turn + 1)?.pred_opt();
        match self {
            Self::Nth { nth: -1, weekday } => {
                let last = last()?;
                let back = (7 + Weekday::of(last) as u64 - weekday as u64) % 7;
                last.checked_sub_days(Days::new(back))
            }
            Self::Nth { nth, weekday } => {
                let ahead = (7 + weekday as u64 - Weekday::of(first) as u64) % 7;
                first.checked_add_days(Days::new(ahead + 7 * (u64::try_from(nth).ok()?.checked_sub(1)?)))
            }
            Self::Day(-1) => last(),
            Self::Day(day) => first.with_day(u32::try_from(day).ok()?),
        }
    }
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
