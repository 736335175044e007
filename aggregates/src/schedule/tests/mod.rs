mod expanding;
mod faults;
mod senseless;
mod spelling;

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::*;
use crate::body::{Fault, Faults};
use crate::zones::{Zone, Zones};

fn read(value: &Value) -> Result<Schedule, Vec<Fault>> {
    let faults = Faults::default();
    let schedule = Schedule::read(value, "/spec/schedule", &faults);
    let faults = faults.into_inner();
    if faults.is_empty() { Ok(schedule) } else { Err(faults) }
}

fn good(value: &Value) -> Schedule {
    read(value).unwrap_or_else(|faults| panic!("{value}: {faults:?}"))
}

/// The only fault of a schedule, as pointer within it and code; and its words.
fn only_fault(value: &Value) -> (String, &'static str, String) {
    let faults = read(value).expect_err(&value.to_string());
    let [fault] = &faults[..] else { panic!("{value}: {faults:?}") };
    (fault.pointer.strip_prefix("/spec/schedule").unwrap().to_owned(), fault.code, fault.detail.clone())
}

fn zone(name: &str) -> Zone {
    Zones::default().find(name).unwrap()
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn locals(found: &[Occurrence]) -> Vec<String> {
    found.iter().map(|occurrence| occurrence.local.to_string()).collect()
}
