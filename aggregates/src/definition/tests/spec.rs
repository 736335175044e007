//! Every field of the spec wrong in turn.

use super::*;

const STEP: &str = "/spec/phases/1/steps/0";
const LEASE: &str = "/spec/phases/0/steps/1/params";

#[test]
fn every_field_of_the_spec_is_checked() {
    for (pointer, value, code) in [
        ("/spec/schedule", json!("weekly"), "wrong_type"),
        ("/spec/schedule/at", json!("2027-02-29T20:00"), "wrong_value"),
        ("/spec/params", json!({}), "wrong_type"),
        ("/spec/params/0", json!("region"), "wrong_type"),
        ("/spec/params/1/name", json!("region"), "not_unique"),
        ("/spec/params/1/type", json!("text"), "not_a_choice"),
        ("/spec/params/1/type", json!(1), "wrong_type"),
        ("/spec/params/1/required", json!("no"), "wrong_type"),
        ("/spec/params/1/default", json!("3"), "wrong_type"),
        ("/spec/params/1/example", json!(1.5), "wrong_type"),
        ("/spec/params/0/default", json!("a\u{1}"), "control_character"),
        ("/spec/params/0/odd", json!(1), "unknown_field"),
        ("/spec/phases", json!(7), "wrong_type"),
        ("/spec/phases/1", json!(null), "wrong_type"),
        ("/spec/phases/1/key", json!("gather"), "not_unique"),
        ("/spec/phases/1/key", json!("Lights!"), "wrong_characters"),
        ("/spec/phases/1/label", json!(""), "wrong_length"),
        ("/spec/phases/1/steps", json!({}), "wrong_type"),
        ("/spec/phases/1/steps/0", json!([]), "wrong_type"),
        ("/spec/phases/1/odd", json!(1), "unknown_field"),
        ("/spec/phases/1/steps/0/key", json!("hail"), "not_unique"),
        ("/spec/phases/1/steps/0/key", json!("a".repeat(65)), "wrong_length"),
        ("/spec/phases/1/steps/0/action", json!(1), "wrong_type"),
        ("/spec/phases/1/steps/0/action", json!("demo.lamp.smash"), "unknown_action"),
        ("/spec/phases/1/steps/0/actionVersion", json!("2"), "wrong_type"),
        ("/spec/phases/1/steps/0/actionVersion", json!(0), "out_of_range"),
        ("/spec/phases/1/steps/0/actionVersion", json!(1), "action_version"),
        ("/spec/phases/1/steps/0/actionVersion", json!(3), "action_version"),
        ("/spec/phases/1/steps/0/onFailure", json!("explode"), "not_a_choice"),
        ("/spec/phases/1/steps/0/params", json!([1]), "wrong_type"),
        ("/spec/phases/1/steps/0/odd", json!(1), "unknown_field"),
    ] {
        assert_wrong(pointer, value, code);
    }
}

#[test]
fn the_limits_of_lists_are_said() {
    let phase = |n: usize| json!({"key": format!("p{n}"), "label": "P", "steps": []});
    assert_wrong("/spec/phases", Value::from((0..21).map(phase).collect::<Vec<_>>()), "wrong_length");
    let step = |n: usize| json!({"key": format!("s{n}"), "action": "core.announce", "params": {"text": "x"}});
    let many = |n: usize| json!([{"key": "p", "label": "P", "steps": (0..n).map(step).collect::<Vec<_>>()}]);
    assert!(read(&with("/spec/phases", many(100))).is_ok());
    assert_eq!(wrong(&with("/spec/phases", many(101)))[0], ("/spec/phases/0/steps".to_owned(), "wrong_length"));
    let half = |at: usize, key: &str| json!({"key": key, "label": "P", "steps": (at..at + 60).map(step).collect::<Vec<_>>()});
    assert_wrong("/spec/phases", json!([half(0, "p"), half(60, "q")]), "wrong_length");
    let param = |n: usize| json!({"name": format!("p{n}"), "type": "int"});
    let params: Vec<_> = (0..51).map(param).collect();
    let faults = wrong(&with("/spec/params", Value::from(params)));
    assert!(faults.contains(&("/spec/params".to_owned(), "wrong_length")), "{faults:?}");
}

#[test]
fn a_gate_waits_for_time_or_for_signals() {
    let at = "/spec/phases/0/advance";
    for (value, place, code) in [
        (json!(30), "", "wrong_type"),
        (json!({}), "/after", "required"),
        (json!({"after": 30}), "/after", "wrong_type"),
        (json!({"after": "30"}), "/after", "wrong_value"),
        (json!({"after": "1h30m"}), "/after", "wrong_value"),
        (json!({"after": "0s"}), "/after", "wrong_value"),
        (json!({"after": "31d"}), "/after", "out_of_range"),
        (json!({"after": "30m", "count": 1}), "/count", "unknown_field"),
        (json!({"on": "demo.lamp.broken", "after": "30m"}), "/after", "unknown_field"),
        (json!({"on": "demo.lamp.lost"}), "/on", "unknown_trigger"),
        (json!({"on": 1}), "/on", "wrong_type"),
        (json!({"on": "demo.lamp.broken", "count": 0}), "/count", "out_of_range"),
        (json!({"on": "demo.lamp.broken", "count": 1_001}), "/count", "out_of_range"),
        (json!({"on": "demo.lamp.broken", "where": {"var": "size", "cmp": "eq", "value": 1}}), "/where/var", "unknown_variable"),
        (json!({"on": "demo.lamp.broken", "where": {"and": []}}), "/where/and", "wrong_length"),
        (json!({"on": "demo.lamp.broken", "timeout": {"after": "31d", "then": "skip"}}), "/timeout/after", "out_of_range"),
        (json!({"on": "demo.lamp.broken", "timeout": {"after": "2h", "then": "retry"}}), "/timeout/then", "not_a_choice"),
    ] {
        assert_eq!(wrong(&with(at, value.clone())), [(format!("{at}{place}"), code)], "{value}");
    }
    assert!(read(&with(at, json!(null))).is_ok());
    let north = json!({"var": "region", "cmp": "eq", "value": "North"});
    let fine = json!({"on": "demo.lamp.broken", "where": north, "timeout": {"after": "120m", "then": "skip"}});
    let spelled = json!({"on": "demo.lamp.broken", "where": north, "count": 1, "timeout": {"after": "2h", "then": "skip"}});
    assert_eq!(read(&with(at, fine)).unwrap().to_body().pointer(at), Some(&spelled));
}

#[test]
fn a_step_holds_for_seven_days_at_most_and_waits_for_a_person_alone() {
    let hold = format!("{STEP}/holdFor");
    for (value, code) in [
        (json!(30), "wrong_type"),
        (json!("30"), "wrong_value"),
        (json!("0s"), "wrong_value"),
        (json!("8d"), "out_of_range"),
        (json!("604801s"), "out_of_range"),
    ] {
        assert_wrong(&hold, value, code);
    }
    let awaits = format!("{STEP}/await");
    for (value, code) in [(json!("robot"), "not_a_choice"), (json!(true), "wrong_type")] {
        assert_wrong(&awaits, value, code);
    }
    for (at, fine) in [(&hold, json!("7d")), (&hold, json!("5m")), (&awaits, json!("human"))] {
        assert_eq!(read(&with(at, fine.clone())).unwrap().to_body().pointer(at), Some(&fine), "{fine}");
    }
    for at in [&hold, &awaits] {
        assert_eq!(read(&with(at, json!(null))).unwrap().to_body().pointer(at), None);
    }
}

#[test]
fn parameters_of_a_step_are_those_of_its_action() {
    let at = format!("{STEP}/params");
    for (value, place, code) in [
        (json!({}), "/count", "required"),
        (json!({"count": "3"}), "/count", "wrong_type"),
        (json!({"count": 31}), "/count", "out_of_range"),
        (json!({"count": null}), "/count", "wrong_type"),
        (json!({"count": 3, "cuont": 1}), "/cuont", "unknown_field"),
        (json!({"count": "{lamps}"}), "/count", "wrong_type"),
        (json!({"count": {"param": "region"}}), "/count", "wrong_type"),
        (json!({"count": {"param": "nobody"}}), "/count", "unknown_param"),
        (json!({"count": {"param": "lamps", "odd": 1}}), "/count", "wrong_type"),
    ] {
        assert_eq!(wrong(&with(&at, value.clone())), [(format!("{at}{place}"), code)], "{value}");
    }
}

#[test]
fn texts_are_templates() {
    let at = "/spec/phases/0/steps/0/params/text";
    for (text, code) in [
        ("in {nobody}", "unknown_param"),
        ("in {region", "wrong_template"),
        ("in region}", "wrong_template"),
        ("", "wrong_length"),
        ("a\u{1b}b", "control_character"),
    ] {
        assert_wrong(at, json!(text), code);
    }
    assert_wrong(at, json!("a".repeat(41)), "wrong_length");
    assert_wrong(at, json!({"param": "region"}), "wrong_type");
    assert!(read(&with(at, json!("{{not a name}}"))).is_ok());
}

#[test]
fn what_may_have_no_value_is_not_named() {
    let mut body = with("/spec/params/1/default", None);
    assert_eq!(wrong(&body), [(format!("{STEP}/params/count"), "may_be_missing")]);
    body["spec"]["params"][1]["required"] = json!(true);
    assert!(read(&body).is_ok());
}

#[test]
fn a_borrowed_value_keeps_to_its_bounds_and_its_longest_time() {
    let value = format!("{LEASE}/value");
    for (wrong, code) in [
        (json!(7.5), "out_of_range"),
        (json!(0.49), "out_of_range"),
        (json!(5.000_000_1), "out_of_range"),
        (json!(-1), "out_of_range"),
        (json!("NaN"), "wrong_value"),
        (json!("2.0"), "wrong_value"),
        (json!(true), "wrong_value"),
        (json!(null), "wrong_type"),
        (json!([2]), "wrong_type"),
    ] {
        assert_wrong(&value, wrong, code);
    }
    let minutes = format!("{LEASE}/minutes");
    for wrong in [0, -1, 1441] {
        assert_wrong(&minutes, json!(wrong), "out_of_range");
    }
    assert_wrong(&format!("{LEASE}/lease"), json!("demo.rate.nothing"), "unknown_lease");
    for misnamed in ["demo.lamp.rate", "demo.lamp.rate@", "demo.lamp.rate@a b", "demo.lamp.rate@a@b", "demo.rate.gather@quay-7"] {
        assert_wrong(&format!("{LEASE}/lease"), json!(misnamed), "unknown_lease");
    }
    for (fine, text) in [(json!(0.5), "0.5"), (json!(5), "5"), (json!("1.0000001"), "1.0000001"), (json!(2.0), "2")] {
        let draft = read(&with(&value, fine)).unwrap();
        assert_eq!(draft.to_body().pointer(&value).unwrap(), text);
    }
}
