//! Every recurrence case and the sweep over all zones, against the expansion that the engine uses, with the compiled-in
//! zone data and with the files of a later release.
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

fn expanded(case: &Value, zones: &Zones) -> Vec<Occurrence> {
    let input = &case["input"];
    let zone = zones.find(input["zone"].as_str().unwrap()).unwrap();
    let window = instant(&input["window_from"])..instant(&input["window_to"]);
    expand(&schedule(input, case["extreme"] == json!(true)), &zone, window)
}

/// Five zones of release 2026f, as their files.
fn later_release() -> Zones {
    let file = |name: &str| {
        let path = format!("{}/tests/zones/2026f/{name}", env!("CARGO_MANIFEST_DIR"));
        (name.to_owned(), std::fs::read(path).unwrap())
    };
    let names = ["Africa/Casablanca", "America/Edmonton", "America/Inuvik", "America/Vancouver", "Europe/Chisinau"];
    Zones::compiled("2026f", names.map(file)).unwrap()
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

/// As a case tells its occurrences.
fn as_expected(case: &Value, zones: &Zones) -> Vec<Value> {
    let zone = zones.find(case["input"]["zone"].as_str().unwrap()).unwrap();
    let of = |occurrence: &Occurrence| {
        let mut told = told(occurrence);
        told["actual_local"] = zone.wall_clock(occurrence.at).format("%Y-%m-%dT%H:%M").to_string().into();
        told["offset_seconds"] = zone.offset(occurrence.at).num_seconds().into();
        told
    };
    expanded(case, zones).iter().map(of).collect()
}

fn assert_exact(case: &Value, expected: &Value, zones: &Zones) {
    let mut expected = expected.clone();
    for entry in expected.as_array_mut().unwrap() {
        if let Some(merged) = entry.get_mut("merged_with") {
            *merged = if merged.is_array() { merged.take() } else { json!([merged.take()]) };
            entry.as_object_mut().unwrap().remove("dst");
        }
    }
    assert_eq!(Value::Array(as_expected(case, zones)), expected, "{} {} by {}", case["id"], case["slug"], zones.release());
}

#[test]
fn every_case_is_exact() {
    let (cases, zones) = (all(), Zones::default());
    let cases = cases["cases"].as_array().unwrap();
    for case in cases {
        let by_release = case.get("expected_by_tzdata").map(|lists| match lists.get(zones.release()) {
            Some(list) => list,
            None => panic!("no expectation for zone data {}: add it to {}", zones.release(), case["id"]),
        });
        assert_exact(case, by_release.unwrap_or(&case["expected"]), &zones);
    }
    assert_eq!(cases.len(), 111);
}

#[test]
fn what_a_later_release_changes_is_exact_by_its_files() {
    let (cases, zones) = (all(), later_release());
    let changed: Vec<_> =
        cases["cases"].as_array().unwrap().iter().filter(|case| case.get("expected_by_tzdata").is_some()).collect();
    for case in &changed {
        assert_exact(case, &case["expected_by_tzdata"]["2026f"], &zones);
    }
    assert_eq!((changed.len(), zones.release()), (8, "2026f"));
}

#[test]
fn the_sweep_over_all_zones_is_exact() {
    let sweep = cases(include_str!("cases/recurrence_sweep.json"));
    let (sweep, zones) = (sweep["cases"].as_array().unwrap(), Zones::default());
    for case in sweep {
        let found: Vec<Value> =
            expanded(case, &zones).iter().map(|o| json!([o.at.format("%Y-%m-%dT%H:%M:%SZ").to_string(), flag(o)])).collect();
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
        let refused = !faults.into_inner().is_empty() || Zones::default().find(input["zone"].as_str().unwrap()).is_err();
        assert!(refused, "{} {}", case["id"], case["why"]);
    }
}
