//! Every field of the page wrong in turn.

use super::*;

#[test]
fn a_draft_is_stored_in_one_spelling() {
    let draft = read(&body()).unwrap();
    let stored = draft.to_body();
    assert_eq!(stored["spec"]["phases"][0]["advance"]["after"], "2h");
    assert_eq!(stored["spec"]["phases"][0]["steps"][1]["params"]["value"], "2");
    assert_eq!(stored["spec"]["phases"][1]["steps"][0]["actionVersion"], 2);
    assert_eq!(Draft::from_body(stored.clone()).unwrap(), draft);
    assert_eq!(read(&stored).unwrap(), draft, "what is read may be posted again");
}

#[test]
fn a_stored_draft_with_an_unknown_field_is_not_guessed_at() {
    let mut stored = read(&body()).unwrap().to_body();
    stored["colour"] = json!("red");
    assert!(Draft::from_body(stored).is_err());
    assert!(Draft::from_body(json!(null)).is_err());
}

#[test]
fn what_may_be_left_out_has_its_default() {
    let least = json!({"title": "T", "slug": "t", "timezone": "UTC", "spec": {"schedule": {"kind": "manual"}}});
    let draft = read(&least).unwrap();
    assert_eq!((draft.content.grace_seconds, draft.content.summary.as_str()), (900, ""));
    assert_eq!((draft.content.image, draft.content.concurrency_key), (None, None));
}

#[test]
fn every_field_of_another_type_is_told() {
    for name in ["title", "slug", "summary", "storyline", "image", "category", "ownerModule", "timezone", "concurrencyKey"] {
        for value in [json!(7), json!(true), json!([]), json!({})] {
            assert_wrong(&format!("/{name}"), value, "wrong_type");
        }
    }
    for name in ["title", "slug", "summary", "storyline", "category", "timezone", "graceSeconds", "spec"] {
        assert_wrong(&format!("/{name}"), json!(null), "wrong_type");
    }
    for value in [json!("900"), json!(900.5), json!(true), json!([])] {
        assert_wrong("/graceSeconds", value, "wrong_type");
    }
    assert_wrong("/seriesOrder", json!("1"), "wrong_type");
    assert_wrong("/venue", json!("orchard"), "wrong_type");
    assert_wrong("/venue/label", json!(1), "wrong_type");
    assert_wrong("/venue/value", None, "required");
}

#[test]
fn every_field_out_of_its_range_is_told() {
    for (pointer, value, code) in [
        ("/title", json!(""), "wrong_length"),
        ("/title", json!("ä".repeat(121)), "wrong_length"),
        ("/slug", json!(""), "wrong_length"),
        ("/slug", json!("a".repeat(65)), "wrong_length"),
        ("/slug", json!("Harvest Party"), "wrong_characters"),
        ("/summary", json!("a".repeat(501)), "wrong_length"),
        ("/storyline", json!("a".repeat(200_001)), "wrong_length"),
        ("/storyline", json!("bell\u{7}"), "control_character"),
        ("/title", json!("two\nlines"), "control_character"),
        ("/title", json!(" "), "wrong_characters"),
        ("/image", json!("javascript:alert(1)"), "wrong_value"),
        ("/image", json!("https://"), "wrong_value"),
        ("/image", json!("https://a b/"), "wrong_value"),
        ("/category", json!("a".repeat(61)), "wrong_length"),
        ("/ownerModule", json!("nobody"), "unknown_module"),
        ("/seriesId", json!("arc-1"), "unknown_series"),
        ("/seriesOrder", json!(-1), "out_of_range"),
        ("/seriesOrder", json!(1), "not_allowed"),
        ("/timezone", json!("Europe/Kiyv"), "unknown_zone"),
        ("/timezone", json!("CEST"), "unknown_zone"),
        ("/timezone", json!("../../etc/passwd"), "unknown_zone"),
        ("/graceSeconds", json!(-1), "out_of_range"),
        ("/graceSeconds", json!(86_401), "out_of_range"),
        ("/graceSeconds", json!(u64::MAX), "out_of_range"),
        ("/concurrencyKey", json!("a".repeat(201)), "wrong_length"),
        ("/concurrencyKey", json!("k:{nobody}"), "unknown_param"),
        ("/concurrencyKey", json!("k:{region"), "wrong_template"),
        ("/venue/label", json!(""), "wrong_length"),
    ] {
        assert_wrong(pointer, value, code);
    }
}

#[test]
fn the_limits_themselves_are_taken() {
    for (pointer, value) in [
        ("/title", json!("ä".repeat(120))),
        ("/storyline", json!("é".repeat(200_000))),
        ("/graceSeconds", json!(0)),
        ("/graceSeconds", json!(86_400)),
        ("/image", json!(null)),
        ("/venue", json!(null)),
        ("/timezone", json!("Europe/Kiev")),
        ("/concurrencyKey", json!("a{{b}}")),
    ] {
        assert!(read(&with(pointer, value)).is_ok(), "{pointer}");
    }
}

#[test]
fn missing_and_unknown_fields_are_told() {
    for name in ["/title", "/slug", "/timezone", "/spec", "/spec/schedule"] {
        assert_wrong(name, None, "required");
    }
    for place in ["/colour", "/venue/colour", "/spec/colour"] {
        assert_wrong(place, json!(1), "unknown_field");
    }
    assert_eq!(wrong(&json!([])), [(String::new(), "wrong_type")]);
}

#[test]
fn all_faults_come_at_once() {
    let mut body = with("/title", json!(7));
    body["graceSeconds"] = json!(-1);
    body["timezone"] = json!("EST");
    body["spec"]["phases"][1]["steps"][0]["action"] = json!("demo.nothing");
    let pointers: Vec<String> = wrong(&body).into_iter().map(|(pointer, _)| pointer).collect();
    assert_eq!(pointers, ["/graceSeconds", "/title", "/timezone", "/spec/phases/1/steps/0/action"]);
}

#[test]
fn a_slug_is_frozen_once_told() {
    let draft = read(&body()).unwrap();
    let renamed = Draft::read(&with("/slug", json!("other")), &facts(), Role::Admin, Some(&draft)).unwrap_err();
    assert_eq!(told(&renamed), [("/slug".to_owned(), "frozen")]);
    assert!(Draft::read(&body(), &facts(), Role::Admin, Some(&draft)).is_ok());
}
