//! Reading a schedule from a posted body, into its one spelling.

use std::ops::RangeInclusive;
use std::str::FromStr;

use serde_json::Value;

use super::{
    End, Exception, LocalDate, LocalDateTime, LocalFault, LocalTime, MAX_COUNT, MAX_EVERY, MAX_EXCEPT, MAX_TIMES, MonthDay,
    Pattern, Recurrence, Schedule, Weekday, sense,
};
use crate::body::{Faults, Object, Text};

#[derive(Debug, Clone, Copy, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
enum Kind {
    Once,
    Weekly,
    Monthly,
    Manual,
}

impl Schedule {
    /// Reads the value at `at`; a faulty one is told in `faults` and stands as `manual`. So is one whose fields are right
    /// each and that means nothing together.
    pub fn read(value: &Value, at: &str, faults: &Faults) -> Self {
        let object = Object::of(value, at, faults);
        if !value.is_object() {
            return Self::Manual;
        }
        let Some(kind) = object.choice("kind") else { return Self::Manual };
        let before = faults.count();
        let schedule = match kind {
            Kind::Manual => Some(Self::Manual),
            Kind::Once => local::<LocalDateTime>(&object, "at").map(|at| Self::Once { at }),
            Kind::Weekly => {
                let days = days(&object);
                recurring(&object, days.map(|days| Pattern::Weekly { days }), before)
            }
            Kind::Monthly => {
                let day = month_day(&object);
                recurring(&object, day.map(|day| Pattern::Monthly { day }), before)
            }
        };
        object.finish();
        schedule.unwrap_or(Self::Manual)
    }
}

/// Everything but the pattern. `before`: how many faults there were before this schedule's own.
fn recurring(object: &Object<'_>, pattern: Option<Pattern>, before: usize) -> Option<Schedule> {
    let every = nullable_int(object, "every", MAX_EVERY);
    let times = times(object);
    let from = nullable_date(object, "from");
    let until = nullable_date(object, "until");
    let count = nullable_int(object, "count", MAX_COUNT);
    let except = items::<Exception>(object, "except", 0..=MAX_EXCEPT);
    if until.is_some() && count.is_some() {
        object.fault("count", "not_allowed", "a schedule ends with until or with count, not with both");
    }
    let (pattern, times) = (pattern?, times?);
    if object.faults().count() > before {
        return None;
    }
    let end = until.map(End::Until).or(count.map(End::Count));
    let exceptions = except.iter().map(|(_, exception)| *exception).collect();
    let recurrence = Recurrence { pattern, every: every.unwrap_or(1), times, from, end, except: exceptions }.settled();
    sense::check(&recurrence, &except, object);
    (object.faults().count() == before).then_some(Schedule::Recurring(recurrence))
}

fn days(object: &Object<'_>) -> Option<Vec<Weekday>> {
    object.required("days")?;
    let items = object.list("days", 1..=7);
    items.into_iter().map(|(at, item)| object.choice_of(at, "day", item)).collect()
}

/// `nth` and `weekday`, or `day`.
fn month_day(object: &Object<'_>) -> Option<MonthDay> {
    if object.nullable("day").is_none() {
        let nth = object.int("nth", -1..=4);
        if nth == 0 {
            object.fault("nth", "out_of_range", "nth must be 1 to 4, or -1 for the last, not 0");
        }
        let weekday = object.choice("weekday");
        return Some(MonthDay::Nth { nth: i8::try_from(nth).ok()?, weekday: weekday? });
    }
    for other in ["nth", "weekday"] {
        if object.nullable(other).is_some() {
            object.fault(other, "not_allowed", format!("a month's day is told by day or by nth and weekday: leave out {other}"));
        }
    }
    let day = object.int("day", -1..=31);
    if !matches!(day, -1 | 1..=28) {
        let detail = format!("day must be 1 to 28, which every month has, or -1 for the last, not {day}");
        object.fault("day", "out_of_range", detail);
    }
    i8::try_from(day).ok().map(MonthDay::Day)
}

/// `time`, or several `times`.
fn times(object: &Object<'_>) -> Option<Vec<LocalTime>> {
    if object.nullable("times").is_none() {
        return local(object, "time").map(|time| vec![time]);
    }
    if object.nullable("time").is_some() {
        object.fault("times", "not_allowed", "the times of a day are told by time or by times, not by both");
    }
    let times = items::<LocalTime>(object, "times", 1..=MAX_TIMES);
    Some(times.into_iter().map(|(_, time)| time).collect())
}

fn nullable_int(object: &Object<'_>, name: &'static str, most: u32) -> Option<u32> {
    object.nullable_int(name, 1..=i64::from(most)).and_then(|number| u32::try_from(number).ok())
}

fn nullable_date(object: &Object<'_>, name: &'static str) -> Option<LocalDate> {
    object.nullable(name).and_then(|_| local(object, name))
}

fn local<T: FromStr<Err = LocalFault>>(object: &Object<'_>, name: &'static str) -> Option<T> {
    let value = object.required(name)?;
    parsed(name, value).map_err(|(code, detail)| object.fault(name, code, detail)).ok()
}

/// The items of a list that may be missing, with their pointers; those that are faulty are told and left out.
fn items<T: FromStr<Err = LocalFault>>(
    object: &Object<'_>,
    name: &'static str,
    lengths: RangeInclusive<usize>,
) -> Vec<(String, T)> {
    if object.nullable(name).is_none() {
        return Vec::new();
    }
    let read = |(at, item): (String, &Value)| match parsed("it", item) {
        Ok(item) => Some((at, item)),
        Err((code, detail)) => {
            object.faults().add(at, code, detail);
            None
        }
    };
    object.list(name, lengths).into_iter().filter_map(read).collect()
}

fn parsed<T: FromStr<Err = LocalFault>>(name: &str, value: &Value) -> Result<T, (&'static str, String)> {
    let text = Text::line(0, 64).check(name, value)?;
    text.parse().map_err(|fault: LocalFault| {
        let code = if matches!(fault, LocalFault::Year(_)) { "out_of_range" } else { "wrong_value" };
        (code, fault.to_string())
    })
}
