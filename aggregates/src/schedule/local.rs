//! Wall clocks as they are authored and stored: no zone, no offset.

use std::fmt;
use std::str::FromStr;

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A date and a wall clock, `2027-03-28T20:00` or with seconds `2027-03-28T20:00:30`; years 1970 to 2099.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("pattern" = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?$"))]
pub struct LocalDateTime(pub NaiveDateTime);

/// A wall clock of any day, `20:00`; 00:00 to 23:59, whole minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("pattern" = "^[0-9]{2}:[0-9]{2}$"))]
pub struct LocalTime(pub NaiveTime);

/// Why a text is no wall clock.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LocalFault {
    #[error("{0:?} is not a local time such as 20:00")]
    Time(String),
    #[error("{0:?} is not a local date and time such as 2027-03-28T20:00, without an offset")]
    DateTime(String),
    #[error("the year must be 1970 to 2099, not {0}")]
    Year(i32),
}

impl FromStr for LocalTime {
    type Err = LocalFault;

    fn from_str(text: &str) -> Result<Self, LocalFault> {
        time(text).filter(|time| time.second() == 0).map(Self).ok_or_else(|| LocalFault::Time(text.into()))
    }
}

impl FromStr for LocalDateTime {
    type Err = LocalFault;

    fn from_str(text: &str) -> Result<Self, LocalFault> {
        let wrong = || LocalFault::DateTime(text.into());
        let (day, clock) = text.split_once('T').ok_or_else(wrong)?;
        let at = date(day).ok_or_else(wrong)?.and_time(time(clock).ok_or_else(wrong)?);
        if !(1970..=2099).contains(&at.year()) {
            return Err(LocalFault::Year(at.year()));
        }
        Ok(Self(at))
    }
}

impl fmt::Display for LocalTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.format("%H:%M"))
    }
}

impl fmt::Display for LocalDateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = if self.0.second() == 0 { "%Y-%m-%dT%H:%M" } else { "%Y-%m-%dT%H:%M:%S" };
        write!(f, "{}", self.0.format(format))
    }
}

impl TryFrom<String> for LocalTime {
    type Error = LocalFault;

    fn try_from(text: String) -> Result<Self, LocalFault> {
        text.parse()
    }
}

impl TryFrom<String> for LocalDateTime {
    type Error = LocalFault;

    fn try_from(text: String) -> Result<Self, LocalFault> {
        text.parse()
    }
}

impl From<LocalTime> for String {
    fn from(time: LocalTime) -> Self {
        time.to_string()
    }
}

impl From<LocalDateTime> for String {
    fn from(at: LocalDateTime) -> Self {
        at.to_string()
    }
}

/// `HH:MM` or `HH:MM:SS`, two digits each: `8:00` and `24:00` are refused, a leap second too.
fn time(text: &str) -> Option<NaiveTime> {
    let parts = numbers(text, ':', &[2, 2, 2]).or_else(|| numbers(text, ':', &[2, 2]))?;
    NaiveTime::from_hms_opt(parts[0], parts[1], parts.get(2).copied().unwrap_or(0))
}

fn date(text: &str) -> Option<NaiveDate> {
    let parts = numbers(text, '-', &[4, 2, 2])?;
    NaiveDate::from_ymd_opt(i32::try_from(parts[0]).ok()?, parts[1], parts[2])
}

/// Exactly as many numbers as `widths`, each of exactly that many ASCII digits.
fn numbers(text: &str, separator: char, widths: &[usize]) -> Option<Vec<u32>> {
    let parts: Vec<&str> = text.split(separator).collect();
    let shaped = parts.len() == widths.len()
        && parts.iter().zip(widths).all(|(part, width)| part.len() == *width && part.bytes().all(|b| b.is_ascii_digit()));
    if !shaped {
        return None;
    }
    parts.iter().map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wall_clock_has_one_spelling() {
        assert_eq!("20:00:00".parse::<LocalTime>().unwrap().to_string(), "20:00");
        let spelled = |text: &str| text.parse::<LocalDateTime>().unwrap().to_string();
        assert_eq!(spelled("2027-03-28T20:00:00"), "2027-03-28T20:00");
        assert_eq!(spelled("2027-03-28T20:00:30"), "2027-03-28T20:00:30");
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
        assert_eq!("1969-12-31T23:59".parse::<LocalDateTime>(), Err(LocalFault::Year(1969)));
        assert_eq!("2100-01-01T00:00".parse::<LocalDateTime>(), Err(LocalFault::Year(2100)));
    }
}
