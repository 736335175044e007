//! Numbers of a writer that knows only floating point.

use serde_json::{Map, Number, Value};

/// Greatest whole number that a floating point number tells from its neighbours.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The same object, with every number that has no fraction as a whole number: `15.0` is 15.
pub fn whole_numbers(object: Map<String, Value>) -> Map<String, Value> {
    object.into_iter().map(|(name, value)| (name, whole(value))).collect()
}

fn whole(value: Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(whole_number(number)),
        Value::Array(items) => Value::Array(items.into_iter().map(whole).collect()),
        Value::Object(object) => Value::Object(whole_numbers(object)),
        other => other,
    }
}

fn whole_number(number: Number) -> Number {
    match number.as_f64() {
        #[expect(clippy::cast_possible_truncation, reason = "it has no fraction and is within what both hold exactly")]
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() <= EXACT => Number::from(float as i64),
        _ => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_has_no_fraction_is_whole_and_nothing_else_changes() {
        let said = r#"{"a":15.0,"b":[1e3,-0.0,1.5,{"c":1e300,"d":18446744073709551615}],"e":"7.0","f":9007199254740992.0}"#;
        let object: Map<String, Value> = serde_json::from_str(said).unwrap();
        let wanted =
            json!({"a": 15, "b": [1000, 0, 1.5, {"c": 1e300, "d": u64::MAX}], "e": "7.0", "f": 9_007_199_254_740_992_i64});
        assert_eq!(Value::Object(whole_numbers(object)), wanted);
    }
}
