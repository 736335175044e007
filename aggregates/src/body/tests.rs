use serde_json::{Value, json};

use super::*;

fn read(text: &str) -> Result<Value, BadJson> {
    parse(text.as_bytes(), MAX_BYTES)
}

fn pointer_and_reason(text: &str) -> (String, String) {
    let bad = read(text).unwrap_err();
    assert!(bad.line >= 1, "{bad:?}");
    (bad.pointer, bad.reason)
}

#[test]
fn what_is_well_formed_is_kept_exactly() {
    let text = r#"{"a":[1,-9223372036854775808,18446744073709551615,0.5,true,null,"é\ud83d\ude00"],"":{}}"#;
    let value = read(text).unwrap();
    assert_eq!(value["a"][2].as_u64(), Some(u64::MAX));
    assert_eq!(value, serde_json::from_str::<Value>(text).unwrap());
}

#[test]
fn the_place_of_a_fault_is_told() {
    let bad = read("{\n \"a\": [1,\n  oops]}").unwrap_err();
    assert_eq!((bad.line, bad.column, bad.pointer.as_str()), (3, 3, "/a/1"));
    assert!(bad.to_string().contains("line 3, column 3, at /a/1"), "{bad}");
}

#[test]
fn what_no_store_could_keep_is_refused() {
    for (text, at) in [
        (r#"{"a":{"b":"x\u0000"}}"#, "/a/b"),
        ("{\"a\":\"x\0\"}", "/a"),
        (r#"{"a\u0000":1}"#, ""),
        (r#"{"a":["\ud800"]}"#, "/a/0"),
        (r#"{"a":["\udc00x"]}"#, "/a/0"),
        (r#"{"a~/b":"\ud800\u0041"}"#, "/a~0~1b"),
    ] {
        assert_eq!(pointer_and_reason(text).0, at, "{text}");
    }
    assert!(parse(b"{\"a\":\"\xff\"}", MAX_BYTES).is_err());
}

#[test]
fn a_key_given_twice_is_refused() {
    let (at, reason) = pointer_and_reason(r#"{"a":{"b":1,"c":2,"b":3}}"#);
    assert_eq!((at.as_str(), reason.as_str()), ("/a/b", "this key is given twice"));
}

#[test]
fn numbers_are_refused_rather_than_rounded() {
    for text in ["1e309", "-1e309", "9007199254740993.0", "123456789012345678901234567890", "NaN", "Infinity", "01", "+1", "1."] {
        let (at, _) = pointer_and_reason(&format!(r#"{{"a":[0.25,"2",{text}]}}"#));
        assert_eq!(at, "/a/2", "{text}");
    }
}

/// A reader that is off in the last digit would refuse some of these here, and give others another meaning when they come
/// back out of the log.
#[test]
fn fractions_come_back_as_they_were_written() {
    let mut state = 7_u64;
    for text in ["0.1", "12345.6789", "1.0000001", "51.248178375505404", "93.3113703768803", "36.5754786243867"] {
        assert_eq!(read(text).unwrap().to_string(), text);
    }
    for _ in 0..20_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = f64::from(u32::try_from(state >> 33).unwrap()) / f64::from(u16::try_from(state >> 49).unwrap() | 1);
        let text = serde_json::json!(number).to_string();
        assert_eq!(read(&text).map(|read| read.to_string()), Ok(text.clone()));
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap().to_string(), text, "as a reader of the log sees it");
    }
}

#[test]
fn nesting_has_a_limit() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(read(&nested(MAX_DEPTH)).is_ok());
    assert!(pointer_and_reason(&nested(MAX_DEPTH + 1)).1.contains("32 deep"));
    assert!(read(&"[".repeat(100_000)).is_err(), "no stack is overrun");
    assert!(read(&"{\"a\":".repeat(40_000)).is_err(), "no stack is overrun");
}

#[test]
fn size_is_judged_before_anything_is_read() {
    let bad = parse(&vec![b'x'; 1_000_000], MAX_BYTES).unwrap_err();
    assert!(bad.too_large && bad.reason.contains("1000000") && bad.reason.contains("262144"), "{bad}");
    assert!(parse(b"[1]", 3).is_ok());
}

#[test]
fn nothing_may_follow_and_nothing_may_be_missing() {
    for wrong in ["", " ", "{} {}", "[1,]", "{\"a\":1", "{\"a\"}", "'a'", "\u{feff}{}", "[1]x", "nul"] {
        assert!(read(wrong).is_err(), "{wrong:?}");
    }
    assert!(pointer_and_reason("{\"a\":[1").1.contains("ends too early"));
}

#[test]
fn every_fault_of_an_object_is_told_at_once() {
    let body = json!({"name": "", "count": 7.5, "big": 99, "odd/one": 1, "flag": "yes", "list": {}, "note": null});
    let faults = Faults::default();
    let object = Object::of(&body, "", &faults);
    object.text("name", Text::line(1, 5));
    object.text("gone", Text::line(1, 5));
    object.int("count", 0..=9);
    object.int_or("big", 0..=9, 1);
    object.flag("flag");
    object.list("list", 0..=2);
    assert_eq!(object.nullable_text("note", Text::line(1, 5)), None);
    object.finish();
    let found = faults.into_inner();
    let found: Vec<_> = found.iter().map(|f| (f.pointer.as_str(), f.code)).collect();
    assert_eq!(
        found,
        [
            ("/name", "wrong_length"),
            ("/gone", "required"),
            ("/count", "wrong_type"),
            ("/big", "out_of_range"),
            ("/flag", "wrong_type"),
            ("/list", "wrong_type"),
            ("/odd~1one", "unknown_field"),
        ]
    );
}

#[test]
fn what_is_no_object_has_one_fault_only() {
    let faults = Faults::default();
    let body = json!([1]);
    let object = Object::of(&body, "/spec", &faults);
    object.text("name", Text::line(1, 5));
    object.list("days", 1..=7);
    object.finish();
    let found = faults.into_inner();
    assert_eq!(found.iter().map(|f| (f.pointer.as_str(), f.code)).collect::<Vec<_>>(), [("/spec", "wrong_type")]);
}

#[test]
fn texts_count_characters_and_hold_what_they_may() {
    let code = |rule: Text, text: &str| rule.check("it", &json!(text)).map(drop).map_err(|(code, _)| code);
    assert_eq!(code(Text::line(1, 3), "äöü"), Ok(()));
    assert_eq!(code(Text::line(1, 3), "äöüß"), Err("wrong_length"));
    assert_eq!(code(Text::line(1, 9), "a\nb"), Err("control_character"));
    assert_eq!(code(Text::line(1, 9), "a\u{85}b"), Err("control_character"));
    assert_eq!(code(Text::line(1, 9), " a"), Err("wrong_characters"));
    assert_eq!(code(Text::lines(9), "a\n\tb"), Ok(()));
    assert_eq!(code(Text::lines(9), "a\u{7}b"), Err("control_character"));
    assert_eq!(code(Text::slug(), "harvest-1"), Ok(()));
    assert_eq!(code(Text::slug(), "Harvest"), Err("wrong_characters"));
    assert_eq!(code(Text::slug(), "ärger"), Err("wrong_characters"));
}
