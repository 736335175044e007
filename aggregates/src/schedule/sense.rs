//! Whether the fields of a recurrence mean something together: that it yields anything, and that nothing in it is idle.

use chrono::{Datelike, NaiveDate};

use super::local::YEARS;
use super::words::weekday;
use super::{End, Exception, LocalDateTime, LocalTime, Recurrence};
use crate::body::Object;

/// Tells in `object` what is senseless. `except` are the exceptions as they were posted, each with its pointer.
pub fn check(recurrence: &Recurrence, except: &[(String, Exception)], object: &Object<'_>) {
    if !counted(recurrence, object) || !in_order(recurrence, object) {
        return;
    }
    let Some(first) = recurrence.named(NaiveDate::MIN).next() else {
        let last = if recurrence.end.is_some() { "until" } else { "from" };
        object.fault(last, "yields_nothing", "no date of the pattern lies in between: the schedule yields no occurrence at all");
        return;
    };
    let before = object.faults().count();
    for (at, exception) in except {
        if let Some(detail) = idle(recurrence, *exception, first) {
            object.faults().add(at, "never_yielded", detail);
        }
    }
    if object.faults().count() == before && recurrence.slots(NaiveDate::MIN).next().is_none() {
        object.fault("except", "yields_nothing", "everything is left out: the schedule yields no occurrence at all");
    }
}

/// Whether there is something to count from, and somewhere to count to.
fn counted(recurrence: &Recurrence, object: &Object<'_>) -> bool {
    let count = if let Some(End::Count(count)) = recurrence.end { Some(count) } else { None };
    if recurrence.from.is_none() && (recurrence.every > 1 || count.is_some()) {
        let what = if recurrence.every > 1 { "every" } else { "count" };
        object.fault("from", "required", format!("{what} is counted from a date: give it as from"));
        return false;
    }
    let beyond = count.filter(|_| recurrence.last().is_none_or(|last| !YEARS.contains(&last.0.year())));
    if let Some(count) = beyond {
        object.fault("count", "out_of_range", format!("the last of {count} would lie after {}", YEARS.end()));
    }
    beyond.is_none()
}

fn in_order(recurrence: &Recurrence, object: &Object<'_>) -> bool {
    let (Some(from), Some(End::Until(until))) = (recurrence.from, recurrence.end) else { return true };
    if until < from {
        object.fault("until", "out_of_range", format!("until must not lie before from, which is {from}, and is {until}"));
    }
    until >= from
}

/// Why an exception leaves nothing out, if so.
fn idle(recurrence: &Recurrence, exception: Exception, first: LocalDateTime) -> Option<String> {
    let Exception { date, time } = exception;
    let on_date: Vec<LocalDateTime> = recurrence.named(date.0).take_while(|slot| slot.date() == date).collect();
    let at_time = |time: LocalTime| on_date.contains(&date.at(time));
    if time.map_or(!on_date.is_empty(), at_time) {
        return None;
    }
    let day = weekday(super::Weekday::of(date.0));
    if let Some(time) = time.filter(|_| !on_date.is_empty()) {
        return Some(format!("there is nothing to leave out at {time} on {date}: that is none of the day's times"));
    }
    let nearest = recurrence.named(date.0).next().map_or_else(
        || recurrence.last().map_or(String::new(), |last| format!(", and the last is on {}", last.date())),
        |next| format!(", and the next is on {}", next.date()),
    );
    let nearest = if date < first.date() { format!(", and the first is on {}", first.date()) } else { nearest };
    Some(format!("there is nothing to leave out on {date}, a {day}: the schedule has none then{nearest}"))
}
