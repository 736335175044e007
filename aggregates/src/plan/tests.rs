use serde_json::json;

use super::*;

fn plan() -> Plan {
    serde_json::from_value(json!({
        "schedule": {"kind": "once", "at": "2027-03-28T20:00"},
        "params": [
            {"name": "place", "type": "string", "required": true, "default": "Pier", "example": "Pier"},
            {"name": "count", "type": "int", "required": true},
            {"name": "note", "type": "string", "required": false}],
        "phases": [{
            "key": "open", "label": "Opening",
            "steps": [{"key": "hail", "action": "demo.say", "actionVersion": 1, "onFailure": "skip",
                       "params": {"text": "At {place}: {count} lamps, {{so}}", "count": {"param": "count"}, "loud": true}}],
            "advance": {"after": "30m"}}]
    }))
    .unwrap()
}

fn map(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

#[test]
fn a_plan_is_stored_as_it_is_spelled() {
    let stored = serde_json::to_value(plan()).unwrap();
    assert_eq!(stored["phases"][0]["advance"], json!({"after": "30m"}));
    assert_eq!(stored["schedule"], json!({"kind": "once", "at": "2027-03-28T20:00"}));
    assert_eq!(serde_json::from_value::<Plan>(stored).unwrap(), plan());
}

#[test]
fn an_unknown_field_of_a_stored_plan_is_refused() {
    for path in ["/phases/0", "/phases/0/steps/0", "/phases/0/advance", "/params/0", "/schedule"] {
        let mut stored = serde_json::to_value(plan()).unwrap();
        stored.pointer_mut(path).unwrap()["odd"] = json!(1);
        assert!(serde_json::from_value::<Plan>(stored).is_err(), "{path}");
    }
}

#[test]
fn values_take_their_places_and_keep_their_types() {
    let bound = bind(&plan().params, &map(&json!({"count": 3}))).unwrap();
    assert_eq!(bound, map(&json!({"place": "Pier", "count": 3})));
    let done = substitute(&plan(), &bound).unwrap();
    let params = &done.phases[0].steps[0].params;
    assert_eq!(params, &map(&json!({"text": "At Pier: 3 lamps, {so}", "count": 3, "loud": true})));
}

#[test]
fn what_is_put_in_is_not_read_as_a_template() {
    let bound = bind(&plan().params, &map(&json!({"count": 3, "place": "{count}"}))).unwrap();
    let done = substitute(&plan(), &bound).unwrap();
    assert_eq!(done.phases[0].steps[0].params["text"], json!("At {count}: 3 lamps, {so}"));
}

#[test]
fn given_values_are_checked_all_at_once() {
    let faults = bind(&plan().params, &map(&json!({"place": 7, "plcae": "x"}))).unwrap_err();
    let found: Vec<_> = faults.iter().map(|f| (f.pointer.as_str(), f.code)).collect();
    assert_eq!(found, [("/params/place", "wrong_type"), ("/params/count", "required"), ("/params/plcae", "unknown_field")]);
}

#[test]
fn a_name_without_a_value_is_a_fault_at_its_place() {
    let faults = substitute(&plan(), &map(&json!({"place": "Pier"}))).unwrap_err();
    let found: Vec<_> = faults.iter().map(|f| f.pointer.as_str()).collect();
    assert_eq!(found, ["/spec/phases/0/steps/0/params/count", "/spec/phases/0/steps/0/params/text"]);
}

#[test]
fn braces_that_are_meant_are_written_twice() {
    let read = |text: &str| Template::parse(text).map(|t| t.render(&map(&json!({"a": "1"}))).unwrap());
    assert_eq!(read("{a}{{a}}{{{a}}}").unwrap(), "1{a}{1}");
    assert_eq!(read("").unwrap(), "");
    assert_eq!(read("{a"), Err(TemplateFault::Unclosed));
    assert_eq!(read("a}"), Err(TemplateFault::Unopened));
    for wrong in ["{}", "{ a}", "{1a}", "{a-b}", "{a{{b}"] {
        assert!(matches!(read(wrong), Err(TemplateFault::BadName(_))), "{wrong}");
    }
}

#[test]
fn a_failure_does_what_the_risk_suggests_unless_the_author_says() {
    let by_risk = [Risk::Notify, Risk::Inspect, Risk::Change, Risk::Irreversible].map(default_on_failure);
    assert_eq!(by_risk, [OnFailure::Skip, OnFailure::Pause, OnFailure::Pause, OnFailure::Abort]);
    assert_eq!(plan().phases[0].steps[0].on_failure(Risk::Irreversible), OnFailure::Skip);
}
