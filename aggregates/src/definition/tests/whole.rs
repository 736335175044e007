//! From bytes to a draft: what a posted body may not be, whatever its fields say.

use super::*;
use crate::body::{MAX_BYTES, parse};

/// The sample body as text with one place replaced by raw JSON text.
fn raw(pointer: &str, text: &str) -> String {
    let marked = with(pointer, json!("@@@"));
    marked.to_string().replace("\"@@@\"", text)
}

const TEXTS: [&str; 9] = [
    "/title",
    "/slug",
    "/storyline",
    "/timezone",
    "/venue/value",
    "/concurrencyKey",
    "/spec/params/0/default",
    "/spec/phases/0/steps/0/params/text",
    "/spec/phases/1/steps/0/key",
];

#[test]
fn the_sample_itself_is_fine() {
    let value = parse(body().to_string().as_bytes(), MAX_BYTES).unwrap();
    assert!(read(&value).is_ok());
}

#[test]
fn no_text_holds_a_nul_or_half_a_character() {
    for pointer in TEXTS {
        for text in [r#""a\u0000b""#, r#""\ud800""#, r#""\udfff""#, "\"a\0b\""] {
            let bad = parse(raw(pointer, text).as_bytes(), MAX_BYTES).unwrap_err();
            assert_eq!(bad.pointer, pointer, "{text:?}");
            assert!(bad.line == 1 && bad.column > 0, "{bad:?}");
        }
    }
}

#[test]
fn no_field_is_too_large_or_too_deep() {
    let huge = format!("\"{}\"", "a".repeat(1_000_000));
    let deep = format!("{}1{}", "[".repeat(64), "]".repeat(64));
    for pointer in TEXTS {
        assert!(parse(raw(pointer, &huge).as_bytes(), MAX_BYTES).unwrap_err().too_large, "{pointer}");
        let bad = parse(raw(pointer, &deep).as_bytes(), MAX_BYTES).unwrap_err();
        assert!(bad.pointer.starts_with(&format!("{pointer}/0")), "{}", bad.pointer);
    }
}

#[test]
fn no_number_is_rounded_on_the_way() {
    for (text, fine) in [("1.0000001", true), ("1e309", false), ("1.00000000000000000001", false), ("NaN", false)] {
        let pointer = "/spec/phases/0/steps/1/params/value";
        let parsed = parse(raw(pointer, text).as_bytes(), MAX_BYTES);
        assert_eq!(parsed.is_ok(), fine, "{text}");
        if let Ok(value) = parsed {
            assert_eq!(read(&value).unwrap().to_body().pointer(pointer).unwrap(), text);
        }
    }
}
