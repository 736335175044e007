//! Schedules of every shape over ten years and over each of them, against the naive expansion.

use chrono::DateTime;
use chrono_tz::Tz;
use leasehold_aggregates::body::Faults;
use leasehold_aggregates::schedule::{Schedule, expand};
use leasehold_aggregates::zones::{Zone, Zones};
use serde_json::{Value, json};

use crate::chance::Chance;
use crate::naive::{self, Found};
use crate::soak;

const ZONES: [&str; 12] = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Antarctica/Troll",
    "Africa/Casablanca",
    "America/Nuuk",
    "America/Santiago",
    "Asia/Gaza",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "Pacific/Kiritimati",
];
/// Sundays more than others: that is when clocks change.
const WEEKDAYS: [&str; 10] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "sunday", "sunday", "sunday"];
/// Times of the night more than others, likewise.
const TIMES: [&str; 12] =
    ["00:00", "00:10", "00:30", "01:30", "02:00", "02:10", "02:30", "02:59", "03:00", "12:00", "20:00", "23:59"];
/// Days from 1970 to 1994-12-31 and 2011-01-01, before changes of the date line.
const STARTS: [i64; 4] = [9_130, 14_975, 20_819, 40_000];
const YEAR: i64 = 365 * 86_400;

/// A schedule as somebody might post it, in no particular order, with nothing in it that is idle.
fn authored(chance: &mut Chance, near: i64) -> Value {
    let mut schedule = match chance.below(4) {
        0 => json!({"kind": "monthly", "nth": chance.of(&[1, 2, 3, 4, -1]), "weekday": chance.of(&WEEKDAYS)}),
        1 => json!({"kind": "monthly", "day": chance.of(&[1, 2, 15, 28, -1])}),
        _ => {
            let days: Vec<&str> = (0..=chance.below(4)).map(|_| *chance.of(&WEEKDAYS)).collect();
            json!({"kind": "weekly", "days": days})
        }
    };
    if chance.one_in(2) {
        schedule["time"] = json!(chance.of(&TIMES));
    } else {
        let times: Vec<&str> = (0..=chance.below(8)).map(|_| *chance.of(&TIMES)).collect();
        schedule["times"] = json!(times);
    }
    let counted = chance.one_in(2);
    if counted {
        schedule["from"] = json!(naive::written(near - 700 + chance.below(1_400)));
        schedule["every"] = json!(chance.of(&[1, 1, 2, 2, 3, 5, 13]));
    }
    match chance.below(3) {
        0 if counted => {
            let most = i64::try_from(naive::named(&schedule).len()).unwrap().min(400);
            schedule["count"] = json!(1 + chance.below(most));
        }
        1 => schedule["until"] = json!(naive::written(near + 720 + chance.below(3_000))),
        _ => {}
    }
    leave_out(chance, &mut schedule, near);
    schedule
}

/// Excepts some days and some slots that the schedule names near a day, but never all it names.
fn leave_out(chance: &mut Chance, schedule: &mut Value, near: i64) {
    let named = naive::named(schedule);
    let around: Vec<&(i64, String)> = named.iter().filter(|(day, _)| (near..near + 3_650).contains(day)).collect();
    if named.len() < 20 || around.is_empty() || chance.one_in(2) {
        return;
    }
    let mut except = Vec::new();
    for _ in 0..chance.below(8) {
        let slot = &chance.of(&around).1;
        except.push(if chance.one_in(2) { slot.clone() } else { slot[..10].to_owned() });
    }
    schedule["except"] = json!(except);
}

fn read(authored: &Value) -> Schedule {
    let faults = Faults::default();
    let schedule = Schedule::read(authored, "", &faults);
    assert_eq!(faults.into_inner(), [], "{authored}");
    schedule
}

fn expanded(schedule: &Schedule, zone: &Zone, window: std::ops::Range<i64>) -> Vec<Found> {
    let at = |second| DateTime::from_timestamp(second, 0).unwrap();
    let found = expand(schedule, zone, at(window.start)..at(window.end));
    let told = |one: leasehold_aggregates::schedule::Occurrence| {
        let merged = one.merged.iter().map(ToString::to_string).collect();
        (one.local.to_string(), one.at.timestamp(), one.dst_adjusted.map(Into::into), merged)
    };
    found.into_iter().map(told).collect()
}

#[test]
fn ten_years_of_every_shape_are_exact() {
    let mut chance = Chance(4);
    let zones = Zones::default();
    let (mut occurrences, mut merged, mut adjusted) = (0, 0, 0);
    for round in 0..if soak() { 5_000 } else { 120 } {
        let name = ZONES[round % ZONES.len()];
        let (tz, zone): (Tz, Zone) = (name.parse().unwrap(), zones.find(name).unwrap());
        let near = *chance.of(&STARTS);
        let authored = authored(&mut chance, near);
        let schedule = read(&authored);
        let whole = near * 86_400..near * 86_400 + 10 * YEAR;
        let expected = naive::expand(&authored, tz, whole.clone());
        assert_eq!(expanded(&schedule, &zone, whole.clone()), expected, "{name} {authored}");
        let years = (0..10).flat_map(|year| {
            let start = whole.start + year * YEAR;
            expanded(&schedule, &zone, start..start + YEAR)
        });
        assert_eq!(years.collect::<Vec<_>>(), expected, "{name} {authored}, year by year");
        let stored = serde_json::to_value(&schedule).unwrap();
        assert_eq!(read(&stored), schedule, "what is stored is its own spelling");
        occurrences += expected.len();
        merged += expected.iter().filter(|found| !found.3.is_empty()).count();
        adjusted += expected.iter().filter(|found| found.2.is_some()).count();
    }
    println!("{occurrences} occurrences, {adjusted} adjusted, {merged} with merged ones");
    assert!(occurrences > 20_000 && merged > 10 && adjusted > 100, "{occurrences} {merged} {adjusted}");
}
