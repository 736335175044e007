use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};

use super::*;
use crate::body::{Fault, Faults};
use crate::zones::Zones;

fn read(value: &Value) -> Result<Schedule, Vec<Fault>> {
    let faults = Faults::default();
    let schedule = Schedule::read(value, "/spec/schedule", &faults);
    let faults = faults.into_inner();
    if faults.is_empty() { Ok(schedule) } else { Err(faults) }
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

#[test]
fn days_have_one_order() {
    let one = read(&json!({"kind": "weekly", "days": ["friday", "monday", "friday"], "time": "20:00"})).unwrap();
    let other = read(&json!({"kind": "weekly", "days": ["monday", "friday"], "time": "20:00"})).unwrap();
    assert_eq!(one, other);
    assert_eq!(serde_json::to_value(&one).unwrap(), json!({"kind": "weekly", "days": ["monday", "friday"], "time": "20:00"}));
}

#[test]
fn every_faulty_field_is_named() {
    for (wrong, pointer, code) in [
        (json!(7), "", "wrong_type"),
        (json!({}), "/kind", "required"),
        (json!({"kind": "cron"}), "/kind", "not_a_choice"),
        (json!({"kind": "once"}), "/at", "required"),
        (json!({"kind": "once", "at": "1969-12-31T00:00"}), "/at", "out_of_range"),
        (json!({"kind": "once", "at": 5}), "/at", "wrong_type"),
        (json!({"kind": "weekly", "days": ["friday"], "time": null}), "/time", "wrong_type"),
        (json!({"kind": "weekly", "time": "20:00"}), "/days", "required"),
        (json!({"kind": "weekly", "days": ["friday", "Friday"], "time": "20:00"}), "/days/1", "not_a_choice"),
        (json!({"kind": "monthly", "nth": 0, "weekday": "friday", "time": "20:00"}), "/nth", "out_of_range"),
        (json!({"kind": "monthly", "nth": 1.5, "weekday": "friday", "time": "20:00"}), "/nth", "wrong_type"),
        (json!({"kind": "monthly", "nth": 1, "time": "20:00"}), "/weekday", "required"),
        (json!({"kind": "manual", "at": "2027-03-28T20:00"}), "/at", "unknown_field"),
    ] {
        let faults = read(&wrong).unwrap_err();
        let found: Vec<_> = faults.iter().map(|f| (f.pointer.as_str(), f.code)).collect();
        assert_eq!(found, [(format!("/spec/schedule{pointer}").as_str(), code)], "{wrong}");
    }
}

#[test]
fn only_shapes_that_work_may_be_published() {
    assert_eq!(read(&json!({"kind": "manual"})).unwrap().available(), Ok(()));
    assert_eq!(read(&json!({"kind": "once", "at": "2027-03-28T20:00"})).unwrap().available(), Ok(()));
    let weekly = read(&json!({"kind": "weekly", "days": ["friday"], "time": "20:00"})).unwrap();
    assert!(weekly.available().unwrap_err().contains("cannot be published yet"));
}

#[test]
fn windows_add_up_wherever_they_are_cut() {
    let schedule = read(&json!({"kind": "weekly", "days": ["thursday", "friday"], "time": "09:00"})).unwrap();
    let apia = Zones.find("Pacific/Apia").unwrap();
    let (from, to) = (at("2011-12-20T00:00:00Z"), at("2012-01-10T00:00:00Z"));
    let whole = expand(&schedule, apia, from..to);
    let cuts = (0..21 * 24).map(|hour| from + Duration::hours(hour)).chain(whole.iter().map(|o| o.at));
    for cut in cuts {
        let mut parts = expand(&schedule, apia, from..cut);
        parts.extend(expand(&schedule, apia, cut..to));
        assert_eq!(parts, whole, "{cut}");
    }
}

#[test]
fn a_week_has_its_occurrence_in_every_zone_and_year() {
    let schedule = read(&json!({"kind": "weekly", "days": ["sunday"], "time": "02:30"})).unwrap();
    for zone in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Antarctica/Troll", "Africa/Casablanca"] {
        let zone = Zones.find(zone).unwrap();
        let (from, weeks) = (at("1970-01-07T12:00:00Z"), 6_750);
        let found = expand(&schedule, zone, from..from + Duration::weeks(weeks));
        assert_eq!(found.len(), usize::try_from(weeks).unwrap(), "{zone:?}");
    }
}

#[test]
fn a_window_without_length_or_at_the_ends_of_time_is_empty() {
    let schedule = read(&json!({"kind": "weekly", "days": ["friday"], "time": "20:00"})).unwrap();
    let utc = Zones.find("UTC").unwrap();
    assert!(expand(&schedule, utc, at("2027-03-05T20:00:00Z")..at("2027-03-05T20:00:00Z")).is_empty());
    assert!(expand(&schedule, utc, at("2027-03-12T00:00:00Z")..at("2027-03-05T00:00:00Z")).is_empty());
    assert_eq!(expand(&schedule, utc, at("2027-03-05T20:00:00Z")..at("2027-03-05T20:00:01Z")).len(), 1);
}
