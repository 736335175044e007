//! Every recurrence case and the sweep over all zones, against the expansion that the engine uses.
#![allow(clippy::unwrap_used, reason = "a test says by panicking that it failed")]

use chrono::{DateTime, NaiveDateTime, Utc};
use leasehold_aggregates::body::Faults;
use leasehold_aggregates::schedule::{LocalDateTime, Occurrence, Schedule, expand};
use leasehold_aggregates::zones::Zones;
use serde_json::{Value, json};

fn cases(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn all() -> Value {
    cases(include_str!("cases/recurrence_cases.json"))
}

fn instant(value: &Value) -> DateTime<Utc> {
    value.as_str().unwrap().parse().unwrap()
}

/// The schedule of a case, through the door that posted bodies come in by; `extreme` ones lie outside its years.
fn schedule(input: &Value, extreme: bool) -> Schedule {
    if extreme {
        let at = NaiveDateTime::parse_from_str(input["at"].as_str().unwrap(), "%Y-%m-%dT%H:%M").unwrap();
        return Schedule::Once { at: LocalDateTime(at) };
    }
    let faults = Faults::default();
    let schedule = Schedule::read(&authored(input), "", &faults);
    assert_eq!(faults.into_inner(), [], "{input}");
    schedule
}

fn authored(input: &Value) -> Value {
    let mut authored = input.clone();
    for other in ["zone", "window_from", "window_to"] {
        authored.as_object_mut().unwrap().remove(other);
    }
    authored
}

fn expanded(case: &Value) -> Vec<Occurrence> {
    let input = &case["input"];
    let zone = Zones.find(input["zone"].as_str().unwrap()).unwrap();
    let window = instant(&input["window_from"])..instant(&input["window_to"]);
    expand(&schedule(input, case["extreme"] == json!(true)), zone, window)
}

fn flag(occurrence: &Occurrence) -> Value {
    occurrence.dst_adjusted.map_or("none", <&str>::from).into()
}

/// Without the flag where the case says that it must not be tested.
fn told(occurrence: &Occurrence) -> Value {
    let zone_free = |local: &LocalDateTime| local.0.format("%Y-%m-%dT%H:%M").to_string();
    let mut told = json!({
        "utc": occurrence.at.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        "authored_local": zone_free(&occurrence.local),
    });
    if occurrence.merged.is_empty() {
        told["dst"] = flag(occurrence);
    } else {
        told["merged_with"] = occurrence.merged.iter().map(zone_free).collect();
    }
    told
}

#[test]
fn every_case_is_exact() {
    let cases = all();
    let release = Zones.release();
    let mut checked = 0;
    for case in cases["cases"].as_array().unwrap() {
        let by_release = case.get("expected_by_tzdata").map(|lists| match lists.get(release) {
            Some(list) => list,
            None => panic!("no expectation for zone data {release}: add it to {}", case["id"]),
        });
        let zone = Zones.find(case["input"]["zone"].as_str().unwrap()).unwrap();
        let found: Vec<Value> = expanded(case)
            .iter()
            .map(|occurrence| {
                let mut told = told(occurrence);
                told["actual_local"] = zone.wall_clock(occurrence.at).format("%Y-%m-%dT%H:%M").to_string().into();
                told["offset_seconds"] = zone.offset(occurrence.at).num_seconds().into();
                told
            })
            .collect();
        let mut expected = by_release.unwrap_or(&case["expected"]).clone();
        for entry in expected.as_array_mut().unwrap() {
            if let Some(merged) = entry.get_mut("merged_with") {
                *merged = if merged.is_array() { merged.take() } else { json!([merged.take()]) };
                entry.as_object_mut().unwrap().remove("dst");
            }
        }
        assert_eq!(Value::Array(found), expected, "{} {}", case["id"], case["slug"]);
        checked += 1;
    }
    assert_eq!(checked, 111);
}

#[test]
fn the_sweep_over_all_zones_is_exact() {
    let sweep = cases(include_str!("cases/recurrence_sweep.json"));
    let sweep = sweep["cases"].as_array().unwrap();
    for case in sweep {
        let found: Vec<Value> =
            expanded(case).iter().map(|o| json!([o.at.format("%Y-%m-%dT%H:%M:%SZ").to_string(), flag(o)])).collect();
        assert_eq!(Value::Array(found), case["expected"], "{}", case["id"]);
    }
    assert_eq!(sweep.len(), 266);
}

#[test]
fn what_is_no_schedule_is_refused() {
    for case in all()["rejects"].as_array().unwrap() {
        let input = &case["input"];
        let faults = Faults::default();
        Schedule::read(&authored(input), "", &faults);
        let refused = !faults.into_inner().is_empty() || Zones.find(input["zone"].as_str().unwrap()).is_err();
        assert!(refused, "{} {}", case["id"], case["why"]);
    }
}
