//! Reading a schedule from a posted body, into its one stored spelling.

use serde_json::Value;

use super::{LocalDateTime, LocalTime, Schedule, Weekday};
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
    /// Reads the value at `at`; a faulty one is told in `faults` and stands as `manual`.
    pub fn read(value: &Value, at: &str, faults: &Faults) -> Self {
        let object = Object::of(value, at, faults);
        if !value.is_object() {
            return Self::Manual {};
        }
        let Some(kind) = object.choice("kind") else { return Self::Manual {} };
        let schedule = match kind {
            Kind::Manual => Some(Self::Manual {}),
            Kind::Once => wall_clock::<LocalDateTime>(&object, "at").map(|at| Self::Once { at }),
            Kind::Weekly => {
                let days = days(&object);
                wall_clock::<LocalTime>(&object, "time").map(|time| Self::Weekly { days, time })
            }
            Kind::Monthly => monthly(&object),
        };
        object.finish();
        schedule.unwrap_or(Self::Manual {})
    }
}

fn wall_clock<T: std::str::FromStr<Err = super::LocalFault>>(object: &Object<'_>, name: &'static str) -> Option<T> {
    let value = object.required(name)?;
    let read = Text::line(0, 64).check(name, value).and_then(|text| {
        text.parse().map_err(|fault: super::LocalFault| {
            let code = if matches!(fault, super::LocalFault::Year(_)) { "out_of_range" } else { "wrong_value" };
            (code, fault.to_string())
        })
    });
    read.map_err(|(code, detail)| object.fault(name, code, detail)).ok()
}

/// In week order, each day once.
fn days(object: &Object<'_>) -> Vec<Weekday> {
    if object.required("days").is_none() {
        return Vec::new();
    }
    let items = object.list("days", 1..=7);
    let mut days: Vec<Weekday> = items.into_iter().filter_map(|(at, item)| object.choice_of(at, "day", item)).collect();
    days.sort_unstable();
    days.dedup();
    days
}

fn monthly(object: &Object<'_>) -> Option<Schedule> {
    let nth = object.int("nth", -1..=4);
    if nth == 0 {
        object.fault("nth", "out_of_range", "nth must be 1 to 4, or -1 for the last, not 0");
    }
    let weekday = object.choice("weekday");
    let time = wall_clock(object, "time")?;
    Some(Schedule::Monthly { nth: i8::try_from(nth).ok()?, weekday: weekday?, time })
}
