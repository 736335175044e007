use leasehold_module::{ParamType, Trigger};
use serde_json::{Map, Value, json};

use super::{Comparison, Condition, Types};
use crate::body::Faults;

fn trigger() -> Trigger {
    serde_json::from_value(json!({
        "id": "demo.lamp.broken", "label": "A lamp broke", "awaiting": "a lamp to break",
        "fields": [
            {"name": "region", "type": "string", "example": "North"}, {"name": "count", "type": "int", "example": 3},
            {"name": "rate", "type": "float", "example": 0.5}, {"name": "bright", "type": "bool", "example": true},
            {"name": "since", "type": "instant", "example": "2027-03-28T18:00:00Z"},
            {"name": "left", "type": "duration", "example": "30m"}]
    }))
    .unwrap()
}

fn types() -> Types {
    trigger().fields.into_iter().map(|field| (field.name, field.value_type)).collect()
}

fn read(value: &Value) -> Result<Condition, Vec<(String, &'static str)>> {
    let faults = Faults::default();
    let read = Condition::read(value, "/where", &faults);
    let mut told: Vec<_> = faults.into_inner().into_iter().map(|fault| (fault.pointer, fault.code)).collect();
    if let Some(read) = &read {
        told.extend(read.check(&trigger(), "/where").into_iter().map(|fault| (fault.pointer, fault.code)));
    }
    if told.is_empty() { Ok(read.unwrap()) } else { Err(told) }
}

fn vars(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

fn judged(condition: &Value, of: &Value) -> Result<(), String> {
    read(condition).unwrap().judge(&vars(of), &types())
}

fn compare(var: &str, cmp: &str, value: &Value) -> Value {
    json!({"var": var, "cmp": cmp, "value": value})
}

#[test]
fn each_comparison_has_a_yes_and_a_no() {
    for (var, cmp, value, yes, no) in [
        ("region", "eq", json!("North"), json!("North"), json!("north")),
        ("region", "ne", json!("North"), json!("South"), json!("North")),
        ("count", "gt", json!(3), json!(4), json!(3)),
        ("count", "gte", json!(3), json!(3), json!(2)),
        ("rate", "lt", json!(0.5), json!("0.49"), json!(0.5)),
        ("rate", "lte", json!("0.5"), json!(0.5), json!(0.500_1)),
        ("region", "in", json!(["North", "East"]), json!("East"), json!("South")),
        ("count", "not_in", json!([1, 2]), json!(3), json!(2)),
        ("region", "contains", json!("ort"), json!("North"), json!("East")),
        ("region", "starts_with", json!("No"), json!("North"), json!("Yonder No")),
        ("since", "gte", json!("2027-03-28T18:00:00Z"), json!("2027-03-28T20:00:00+02:00"), json!("2027-03-28T17:59:59Z")),
        ("left", "lt", json!("2h"), json!("119m"), json!("120m")),
        ("bright", "eq", json!(true), json!(true), json!(false)),
    ] {
        let condition = compare(var, cmp, &value);
        let of = |value: &Value| vars(&json!({ var: value }));
        let condition = read(&condition).unwrap_or_else(|faults| panic!("{condition}: {faults:?}"));
        assert_eq!(condition.judge(&of(&yes), &types()), Ok(()), "{}: {yes}", condition.words());
        assert!(condition.judge(&of(&no), &types()).is_err(), "{}: {no}", condition.words());
        assert!(condition.judge(&Map::new(), &types()).is_err(), "{} of nothing", condition.words());
    }
    for (cmp, of_nothing, of_something) in [("present", false, true), ("absent", true, false)] {
        let condition = json!({"var": "region", "cmp": cmp});
        assert_eq!(judged(&condition, &json!({})).is_ok(), of_nothing);
        assert_eq!(judged(&condition, &json!({"region": null})).is_ok(), of_nothing, "null is nothing");
        assert_eq!(judged(&condition, &json!({"region": "North"})).is_ok(), of_something);
    }
}

#[test]
fn a_no_says_what_was_there() {
    let north = compare("region", "eq", &json!("North"));
    let many = compare("count", "gte", &json!(3));
    let of = json!({"region": "South", "count": 2});
    assert_eq!(judged(&json!({"and": [many, north]}), &of).unwrap_err(), "count is 2");
    assert_eq!(judged(&json!({"or": [many, north]}), &of).unwrap_err(), "count is 2 and region is “South”");
    assert_eq!(judged(&json!({"not": compare("region", "eq", &json!("South"))}), &of).unwrap_err(), "region is “South”");
    assert_eq!(judged(&north, &json!({})).unwrap_err(), "region is absent");
}

#[test]
fn the_sentence_is_in_words() {
    let north = compare("region", "eq", &json!("North"));
    let many = compare("count", "gte", &json!(3));
    let quiet = json!({"not": {"var": "bright", "cmp": "present"}});
    let condition = read(&json!({"and": [north, {"or": [many, quiet]}, compare("count", "in", &json!([1, 2]))]})).unwrap();
    assert_eq!(
        condition.words(),
        "region is “North” and (count is at least 3 or not (bright is present)) and count is one of 1, 2"
    );
    assert_eq!(Condition::from_stored(&condition.to_stored()).unwrap(), condition);
    let labels: Vec<&str> = <Comparison as strum::IntoEnumIterator>::iter().map(Comparison::label).collect();
    assert_eq!(labels.len(), 12);
}

#[test]
fn what_is_wrong_is_told_at_its_place() {
    let deep = (0..5).fold(json!({"var": "region", "cmp": "present"}), |inner, _| json!({"not": inner}));
    for (wrong, faults) in [
        (json!("region"), vec![("", "wrong_type")]),
        (json!({}), vec![("", "wrong_shape")]),
        (json!({"and": [], "or": []}), vec![("", "wrong_shape")]),
        (json!({"and": []}), vec![("/and", "wrong_length")]),
        (json!({"and": {}}), vec![("/and", "wrong_type")]),
        (json!({"or": [1]}), vec![("/or/0", "wrong_type")]),
        (json!({"var": "region", "cmp": "is", "value": 1}), vec![("/cmp", "not_a_choice")]),
        (json!({"var": "region", "cmp": "eq"}), vec![("/value", "required")]),
        (json!({"var": "region", "cmp": "present", "value": 1}), vec![("/value", "not_allowed")]),
        (json!({"var": "region", "cmp": "in", "value": "North"}), vec![("/value", "wrong_type")]),
        (json!({"var": "region", "cmp": "eq", "value": "x", "odd": 1}), vec![("/odd", "unknown_field")]),
        (json!({"var": "regoin", "cmp": "eq", "value": "x"}), vec![("/var", "unknown_variable")]),
        (json!({"var": "region", "cmp": "gt", "value": "x"}), vec![("/cmp", "wrong_comparison")]),
        (json!({"var": "count", "cmp": "contains", "value": "1"}), vec![("/cmp", "wrong_comparison")]),
        (json!({"var": "count", "cmp": "eq", "value": "3"}), vec![("/value", "wrong_type")]),
        (json!({"var": "count", "cmp": "in", "value": [1, "2"]}), vec![("/value/1", "wrong_type")]),
        (json!({"var": "since", "cmp": "gt", "value": "yesterday"}), vec![("/value", "wrong_value")]),
        (deep, vec![("/not/not/not/not/not", "too_deep")]),
        (
            json!({"and": [{"var": "x", "cmp": "present"}, {"not": {"var": "count", "cmp": "eq", "value": null}}]}),
            vec![("/and/0/var", "unknown_variable"), ("/and/1/not/value", "wrong_type")],
        ),
    ] {
        let expected: Vec<_> = faults.into_iter().map(|(at, code)| (format!("/where{at}"), code)).collect();
        assert_eq!(read(&wrong), Err(expected), "{wrong}");
    }
    let told = read(&json!({"var": "regoin", "cmp": "eq", "value": "x"}));
    assert!(told.is_err());
    let fault = &Condition::from_stored(&json!({"var": "regoin", "cmp": "present"})).unwrap().check(&trigger(), "")[0];
    assert!(fault.detail.contains("regoin") && fault.detail.contains("region"), "{}", fault.detail);
}

#[test]
fn a_type_that_is_not_declared_compares_nothing_it_cannot_read() {
    let condition = Condition::from_stored(&compare("count", "gt", &json!(3))).unwrap();
    assert!(condition.judge(&vars(&json!({"count": "many"})), &Types::from([("count".into(), ParamType::Int)])).is_err());
    assert!(condition.judge(&vars(&json!({"count": 4})), &Types::new()).is_err(), "numbers are no text");
}
