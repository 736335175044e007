//! How a schedule stands in a stored version: the fields of a posted one, in its one spelling.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{End, Exception, LocalDate, LocalDateTime, LocalTime, MonthDay, Pattern, Recurrence, Schedule, Weekday};

/// When it happens, in wall clocks of its zone.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Stored {
    /// One wall clock.
    Once { at: LocalDateTime },
    /// On these days, in week order; every so many weeks, counted from that of `from`.
    Weekly {
        days: Vec<Weekday>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        every: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<LocalTime>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        times: Option<Vec<LocalTime>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<LocalDate>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<LocalDate>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        except: Option<Vec<Exception>>,
    },
    /// On the `nth` (1 to 4, or -1 for the last) `weekday`, or on the `day` (1 to 28, or -1 for the last); every so many
    /// months, counted from that of `from`.
    Monthly {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nth: Option<i8>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        weekday: Option<Weekday>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        day: Option<i8>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        every: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<LocalTime>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        times: Option<Vec<LocalTime>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<LocalDate>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<LocalDate>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        except: Option<Vec<Exception>>,
    },
    /// Whenever somebody starts it.
    Manual {},
}

/// Why a stored schedule means nothing. Only a hand that wrote past the door makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StoredFault {
    #[error("a weekly schedule needs days")]
    NoDay,
    #[error("a monthly schedule needs nth (1 to 4 or -1) and weekday, or else day (1 to 28 or -1)")]
    NoMonthDay,
    #[error("a schedule that recurs needs time or times")]
    NoTime,
    #[error("every and count are 1 or more; count, and an every of 2 or more, need from")]
    NotCounted,
    #[error("a schedule ends with until or with count")]
    TwoEnds,
}

/// What every kind that recurs has beside its pattern.
struct Turns {
    every: Option<u32>,
    time: Option<LocalTime>,
    times: Option<Vec<LocalTime>>,
    from: Option<LocalDate>,
    until: Option<LocalDate>,
    count: Option<u32>,
    except: Option<Vec<Exception>>,
}

impl TryFrom<Stored> for Schedule {
    type Error = StoredFault;

    fn try_from(stored: Stored) -> Result<Self, StoredFault> {
        match stored {
            Stored::Manual {} => Ok(Self::Manual),
            Stored::Once { at } => Ok(Self::Once { at }),
            Stored::Weekly { days, .. } if days.is_empty() => Err(StoredFault::NoDay),
            Stored::Weekly { days, every, time, times, from, until, count, except } => {
                Turns { every, time, times, from, until, count, except }.of(Pattern::Weekly { days })
            }
            Stored::Monthly { nth, weekday, day, every, time, times, from, until, count, except } => {
                let day = match (nth, weekday, day) {
                    (Some(nth @ (-1 | 1..=4)), Some(weekday), None) => MonthDay::Nth { nth, weekday },
                    (None, None, Some(day @ (-1 | 1..=28))) => MonthDay::Day(day),
                    _ => return Err(StoredFault::NoMonthDay),
                };
                Turns { every, time, times, from, until, count, except }.of(Pattern::Monthly { day })
            }
        }
    }
}

impl Turns {
    fn of(self, pattern: Pattern) -> Result<Schedule, StoredFault> {
        let Self { every, time, times, from, until, count, except } = self;
        let end = match (until, count) {
            (until, None) => until.map(End::Until),
            (None, count) => count.map(End::Count),
            (Some(_), Some(_)) => return Err(StoredFault::TwoEnds),
        };
        let times = match (time, times) {
            (Some(time), None) => vec![time],
            (None, Some(times)) if !times.is_empty() => times,
            _ => return Err(StoredFault::NoTime),
        };
        let every = every.unwrap_or(1);
        let counted = every > 1 || count.is_some();
        if every == 0 || count == Some(0) || counted && from.is_none() {
            return Err(StoredFault::NotCounted);
        }
        let except = except.unwrap_or_default();
        Ok(Schedule::Recurring(Recurrence { pattern, every, times, from, end, except }.settled()))
    }
}

impl From<Schedule> for Stored {
    fn from(schedule: Schedule) -> Self {
        match schedule {
            Schedule::Manual => Self::Manual {},
            Schedule::Once { at } => Self::Once { at },
            Schedule::Recurring(recurrence) => recurrence.into(),
        }
    }
}

impl From<Recurrence> for Stored {
    fn from(recurrence: Recurrence) -> Self {
        let Recurrence { pattern, every, times, from, end, except } = recurrence;
        let every = (every > 1).then_some(every);
        let (time, times) = if let [only] = times[..] { (Some(only), None) } else { (None, Some(times)) };
        let (until, count) = match end {
            None => (None, None),
            Some(End::Until(date)) => (Some(date), None),
            Some(End::Count(count)) => (None, Some(count)),
        };
        let except = (!except.is_empty()).then_some(except);
        let (nth, weekday, day) = match pattern {
            Pattern::Weekly { days } => return Self::Weekly { days, every, time, times, from, until, count, except },
            Pattern::Monthly { day: MonthDay::Nth { nth, weekday } } => (Some(nth), Some(weekday), None),
            Pattern::Monthly { day: MonthDay::Day(day) } => (None, None, Some(day)),
        };
        Self::Monthly { nth, weekday, day, every, time, times, from, until, count, except }
    }
}
