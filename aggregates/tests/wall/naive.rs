//! An expansion that looks at every day since 1970, with a calendar of its own, and reads the schedule as it was posted.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use chrono_tz::Tz;
use serde_json::Value;

use crate::clock::said;

const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/// Days from 1970-01-01 to 2099-12-31.
const LAST_DAY: i64 = 47_481;

/// One occurrence: authored wall clock, second, adjustment, and the wall clocks that fell together with it.
pub type Found = (String, i64, Option<&'static str>, Vec<String>);

/// Year, month and day of month of a day counted from 1970-01-01.
pub fn date(day: i64) -> (i64, i64, i64) {
    static CALENDAR: LazyLock<Vec<(i64, i64, i64)>> = LazyLock::new(calendar);
    CALENDAR[usize::try_from(day).unwrap()]
}

/// Every day of the years and some beyond, written down one after the other.
fn calendar() -> Vec<(i64, i64, i64)> {
    let mut days = Vec::new();
    for year in 1970..=2100 {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let months = [31, 28 + i64::from(leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        for (month, length) in (1..).zip(months) {
            days.extend((1..=length).map(|day| (year, month, day)));
        }
    }
    days
}

pub fn written(day: i64) -> String {
    let (year, month, of_month) = date(day);
    format!("{year:04}-{month:02}-{of_month:02}")
}

/// The day that is written so.
fn day(text: &str) -> i64 {
    let part = |range: std::ops::Range<usize>| text[range].parse::<i64>().unwrap();
    let wanted = (part(0..4), part(5..7), part(8..10));
    (0..=LAST_DAY).find(|day| date(*day) == wanted).unwrap()
}

/// Days of the week count from Monday; 1970-01-01 was a Thursday.
fn weekday(day: i64) -> i64 {
    (day + 3) % 7
}

fn is_on(schedule: &Value, day: i64, first: Option<i64>) -> bool {
    let every = schedule["every"].as_i64().unwrap_or(1);
    let (_, month, of_month) = date(day);
    let apart = |turn: &dyn Fn(i64) -> i64| first.map_or(0, |first| (turn(day) - turn(first)) % every);
    if schedule["kind"] == "weekly" {
        let days = schedule["days"].as_array().unwrap();
        return days.iter().any(|name| *name == DAYS[usize::try_from(weekday(day)).unwrap()]) && apart(&|day| (day + 3) / 7) == 0;
    }
    let in_turn = apart(&|day| date(day).0 * 12 + date(day).1) == 0;
    if let Some(wanted) = schedule["day"].as_i64() {
        return in_turn && if wanted == -1 { date(day + 1).2 == 1 } else { of_month == wanted };
    }
    let right_day = schedule["weekday"] == DAYS[usize::try_from(weekday(day)).unwrap()];
    let nth = schedule["nth"].as_i64().unwrap();
    let right_place = if nth == -1 { date(day + 7).1 != month } else { (of_month + 6) / 7 == nth };
    in_turn && right_day && right_place
}

/// Every slot of the schedule that counts, those excepted among them: the day, and how it is written.
pub fn named(schedule: &Value) -> Vec<(i64, String)> {
    let day = |field: &str| schedule[field].as_str().map(day);
    let (first, last) = (day("from"), day("until"));
    let mut times: Vec<&str> = schedule["times"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    times.extend(schedule["time"].as_str());
    let times: BTreeSet<&str> = times.into_iter().collect();
    let mut slots = Vec::new();
    for day in first.unwrap_or(0)..=last.unwrap_or(LAST_DAY) {
        if is_on(schedule, day, first) {
            slots.extend(times.iter().map(|time| (day, format!("{}T{time}", written(day)))));
        }
    }
    if let Some(count) = schedule["count"].as_u64() {
        slots.truncate(usize::try_from(count).unwrap());
    }
    slots
}

/// The occurrences whose second lies in the window.
pub fn expand(schedule: &Value, tz: Tz, window: std::ops::Range<i64>) -> Vec<Found> {
    let except: BTreeSet<&str> = schedule["except"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut found: Vec<Found> = Vec::new();
    for (day, slot) in named(schedule) {
        let near = (window.start / 86_400 - 5..window.end / 86_400 + 5).contains(&day);
        if !near || except.contains(slot.as_str()) || except.contains(&slot[..10]) {
            continue;
        }
        let (hour, minute): (i64, i64) = (slot[11..13].parse().unwrap(), slot[14..16].parse().unwrap());
        let (second, adjusted) = said(tz, day * 86_400 + hour * 3_600 + minute * 60);
        match found.last_mut() {
            Some(last) if last.1 == second => last.3.push(slot),
            _ => found.push((slot, second, adjusted, Vec::new())),
        }
    }
    found.retain(|one| window.contains(&one.1));
    found
}
