//! Dates and wall clocks as they are authored and stored: no zone, no offset.

mod parse;

use std::fmt;
use std::str::FromStr;

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// First and last year that may be authored.
pub const YEARS: std::ops::RangeInclusive<i32> = 1970..=2099;

/// A date and a wall clock, `2027-03-28T20:00` or with seconds `2027-03-28T20:00:30`; years 1970 to 2099.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("pattern" = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?$"))]
pub struct LocalDateTime(pub NaiveDateTime);

/// A date, `2027-03-28`; years 1970 to 2099.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("pattern" = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
pub struct LocalDate(pub NaiveDate);

/// A wall clock of any day, `20:00`; 00:00 to 23:59, whole minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("pattern" = "^[0-9]{2}:[0-9]{2}$"))]
pub struct LocalTime(pub NaiveTime);

/// Why a text is no date or wall clock.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LocalFault {
    #[error("{0:?} is not a local time such as 20:00")]
    Time(String),
    #[error("{0:?} is not a date such as 2027-03-28")]
    Date(String),
    #[error("{0:?} is not a local date and time such as 2027-03-28T20:00, without an offset")]
    DateTime(String),
    #[error("the year must be 1970 to 2099, not {0}")]
    Year(i32),
}

impl LocalDate {
    /// The wall clock `time` of this date.
    pub fn at(self, time: LocalTime) -> LocalDateTime {
        LocalDateTime(self.0.and_time(time.0))
    }
}

impl LocalDateTime {
    pub fn date(self) -> LocalDate {
        LocalDate(self.0.date())
    }
}

impl FromStr for LocalTime {
    type Err = LocalFault;

    fn from_str(text: &str) -> Result<Self, LocalFault> {
        parse::time(text).filter(|time| time.second() == 0).map(Self).ok_or_else(|| LocalFault::Time(text.into()))
    }
}

impl FromStr for LocalDate {
    type Err = LocalFault;

    fn from_str(text: &str) -> Result<Self, LocalFault> {
        let date = parse::date(text).ok_or_else(|| LocalFault::Date(text.into()))?;
        if YEARS.contains(&date.year()) { Ok(Self(date)) } else { Err(LocalFault::Year(date.year())) }
    }
}

impl FromStr for LocalDateTime {
    type Err = LocalFault;

    fn from_str(text: &str) -> Result<Self, LocalFault> {
        let at = parse::date_time(text).ok_or_else(|| LocalFault::DateTime(text.into()))?;
        if YEARS.contains(&at.year()) { Ok(Self(at)) } else { Err(LocalFault::Year(at.year())) }
    }
}

impl fmt::Display for LocalTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.format("%H:%M"))
    }
}

impl fmt::Display for LocalDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.format("%Y-%m-%d"))
    }
}

impl fmt::Display for LocalDateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = if self.0.second() == 0 { "%Y-%m-%dT%H:%M" } else { "%Y-%m-%dT%H:%M:%S" };
        write!(f, "{}", self.0.format(format))
    }
}

/// Stored as its one text.
macro_rules! as_text {
    ($($local:ty),*) => {$(
        impl TryFrom<String> for $local {
            type Error = LocalFault;

            fn try_from(text: String) -> Result<Self, LocalFault> {
                text.parse()
            }
        }

        impl From<$local> for String {
            fn from(local: $local) -> Self {
                local.to_string()
            }
        }
    )*};
}

as_text!(LocalTime, LocalDate, LocalDateTime);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wall_clock_has_one_spelling() {
        assert_eq!("20:00:00".parse::<LocalTime>().unwrap().to_string(), "20:00");
        let spelled = |text: &str| text.parse::<LocalDateTime>().unwrap().to_string();
        assert_eq!(spelled("2027-03-28T20:00:00"), "2027-03-28T20:00");
        assert_eq!(spelled("2027-03-28T20:00:30"), "2027-03-28T20:00:30");
        assert_eq!("2028-02-29".parse::<LocalDate>().unwrap().to_string(), "2028-02-29");
    }

    #[test]
    fn what_is_no_wall_clock_is_refused() {
        for wrong in
            ["", "8:00", "24:00", "20:60", "20:00:60", "20:00:30", "20:00Z", "20.00", "٢٠:00", "20:00:00.5", " 20:00", "+2:00"]
        {
            assert!(wrong.parse::<LocalTime>().is_err(), "{wrong}");
        }
        for wrong in ["2027-02-29T20:00", "2027-03-28 20:00", "2027-03-28T20:00Z", "2027-03-28T20:00+01:00", "27-03-28T20:00"] {
            assert!(matches!(wrong.parse::<LocalDateTime>(), Err(LocalFault::DateTime(_))), "{wrong}");
        }
        for wrong in ["", "2027-02-29", "2027-3-8", "28-03-2027", "2027-03-28T20:00", "2027-03-28Z", "+2027-03-28", "2027/03/28"]
        {
            assert!(matches!(wrong.parse::<LocalDate>(), Err(LocalFault::Date(_))), "{wrong}");
        }
        assert_eq!("1969-12-31T23:59".parse::<LocalDateTime>(), Err(LocalFault::Year(1969)));
        assert_eq!("2100-01-01T00:00".parse::<LocalDateTime>(), Err(LocalFault::Year(2100)));
        assert_eq!("2100-01-01".parse::<LocalDate>(), Err(LocalFault::Year(2100)));
    }
}
