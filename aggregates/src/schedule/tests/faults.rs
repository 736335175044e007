//! Every faulty field is refused by name, alone.

use serde_json::json;

use super::{good, only_fault, read};

#[test]
fn every_faulty_field_is_named() {
    for (wrong, pointer, code) in [
        (json!(7), "", "wrong_type"),
        (json!({}), "/kind", "required"),
        (json!({"kind": "cron"}), "/kind", "not_a_choice"),
        (json!({"kind": "once"}), "/at", "required"),
        (json!({"kind": "once", "at": "1969-12-31T00:00"}), "/at", "out_of_range"),
        (json!({"kind": "once", "at": 5}), "/at", "wrong_type"),
        (json!({"kind": "once", "at": "2027-03-05T20:00", "every": 2}), "/every", "unknown_field"),
        (json!({"kind": "once", "at": "2027-03-05T20:00", "except": []}), "/except", "unknown_field"),
        (json!({"kind": "weekly", "days": ["friday"], "time": null}), "/time", "wrong_type"),
        (json!({"kind": "weekly", "time": "20:00"}), "/days", "required"),
        (json!({"kind": "weekly", "days": [], "time": "20:00"}), "/days", "wrong_length"),
        (json!({"kind": "weekly", "days": ["friday", "Friday"], "time": "20:00"}), "/days/1", "not_a_choice"),
        (json!({"kind": "weekly", "days": ["friday"], "time": "20:00", "nth": 2}), "/nth", "unknown_field"),
        (json!({"kind": "monthly", "nth": 0, "weekday": "friday", "time": "20:00"}), "/nth", "out_of_range"),
        (json!({"kind": "monthly", "nth": 1.5, "weekday": "friday", "time": "20:00"}), "/nth", "wrong_type"),
        (json!({"kind": "monthly", "nth": 1, "time": "20:00"}), "/weekday", "required"),
        (json!({"kind": "monthly", "day": 29, "time": "20:00"}), "/day", "out_of_range"),
        (json!({"kind": "monthly", "day": 0, "time": "20:00"}), "/day", "out_of_range"),
        (json!({"kind": "monthly", "day": -2, "time": "20:00"}), "/day", "out_of_range"),
        (json!({"kind": "monthly", "day": "1", "time": "20:00"}), "/day", "wrong_type"),
        (json!({"kind": "monthly", "day": 1, "nth": 1, "time": "20:00"}), "/nth", "not_allowed"),
        (json!({"kind": "monthly", "day": 1, "weekday": "friday", "time": "20:00"}), "/weekday", "not_allowed"),
        (json!({"kind": "manual", "at": "2027-03-28T20:00"}), "/at", "unknown_field"),
        (json!({"kind": "manual", "from": "2027-03-28"}), "/from", "unknown_field"),
    ] {
        let (found, told, detail) = only_fault(&wrong);
        assert_eq!((found.as_str(), told), (pointer, code), "{wrong}: {detail}");
    }
}

#[test]
fn every_faulty_field_of_what_recurs_is_named() {
    let most = |count: usize, item: &str| json!(vec![item; count]);
    for (field, value, pointer, code) in [
        ("every", json!(0), "/every", "out_of_range"),
        ("every", json!(101), "/every", "out_of_range"),
        ("every", json!("2 weeks"), "/every", "wrong_type"),
        ("every", json!(2.5), "/every", "wrong_type"),
        ("every", json!(-1), "/every", "out_of_range"),
        ("every", json!(18_446_744_073_709_551_615_u64), "/every", "out_of_range"),
        ("count", json!(0), "/count", "out_of_range"),
        ("count", json!(10_001), "/count", "out_of_range"),
        ("from", json!("2027-02-29"), "/from", "wrong_value"),
        ("from", json!("2027-03-05T20:00"), "/from", "wrong_value"),
        ("from", json!("1969-12-31"), "/from", "out_of_range"),
        ("from", json!(20_270_305), "/from", "wrong_type"),
        ("until", json!("2100-01-01"), "/until", "out_of_range"),
        ("until", json!("5 March"), "/until", "wrong_value"),
        ("times", json!(["20:00"]), "/times", "not_allowed"),
        ("except", json!("2027-03-12"), "/except", "wrong_type"),
        ("except", json!(["2027-03-12", 7]), "/except/1", "wrong_type"),
        ("except", json!(["2027-03-12T20:00Z"]), "/except/0", "wrong_value"),
        ("except", json!(["12.3.2027"]), "/except/0", "wrong_value"),
        ("except", most(367, "2027-03-12"), "/except", "wrong_length"),
        ("until", json!("2027-12-31"), "", ""),
    ] {
        let mut schedule = json!({"kind": "weekly", "days": ["friday"], "time": "20:00", "from": "2027-03-05"});
        schedule[field] = value;
        if code.is_empty() {
            good(&schedule);
            continue;
        }
        let (found, told, detail) = only_fault(&schedule);
        assert_eq!((found.as_str(), told), (pointer, code), "{schedule}: {detail}");
    }
    for (times, pointer, code) in [
        (json!([]), "/times", "wrong_length"),
        (most(25, "20:00"), "/times", "wrong_length"),
        (json!(["20:00", "24:00"]), "/times/1", "wrong_value"),
        (json!([20]), "/times/0", "wrong_type"),
        (json!("20:00"), "/times", "wrong_type"),
    ] {
        let (found, told, _) = only_fault(&json!({"kind": "weekly", "days": ["friday"], "times": times}));
        assert_eq!((found.as_str(), told), (pointer, code), "{times}");
    }
}

#[test]
fn all_faults_are_told_together() {
    let faults = read(&json!({
        "kind": "weekly", "days": ["freitag"], "times": ["8pm"], "every": 0, "from": "x", "until": "y", "count": 0,
        "except": ["z"], "day": 1,
    }))
    .unwrap_err();
    let told: Vec<_> = faults.iter().map(|fault| fault.pointer.strip_prefix("/spec/schedule/").unwrap()).collect();
    assert_eq!(told, ["days/0", "every", "times/0", "from", "until", "count", "except/0", "day"]);
}
