//! Typed values: carried as JSON or text, compared as values.

use std::cmp::Ordering;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde_json::Value;

use crate::ParamType;

/// An amount of one budget dimension, in that dimension's own unit.
pub type Amount = u64;

/// Why a value is not of its type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ValueFault(pub String);

/// The one text of a value of this type: what crosses the wire and what the ledger keeps.
///
/// A JSON number or boolean is spelled out; text must already be in its shortest spelling (`2`, not `2.0`), so that
/// one value has one text. Floats are decimal (at most 28 digits), never binary.
pub fn canonical(value_type: ParamType, value: &Value) -> Result<String, ValueFault> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) if matches!(value_type, ParamType::Int | ParamType::Float) => number.to_string(),
        Value::Bool(flag) if value_type == ParamType::Bool => flag.to_string(),
        other => return Err(ValueFault(format!("must be {}, not {}", value_type.with_article(), kind_of(other)))),
    };
    let shortest = shortest(value_type, &text)?;
    if value.is_string() && shortest != text {
        return Err(ValueFault(format!("write {shortest}, the shortest spelling of {text:?}")));
    }
    Ok(shortest)
}

fn shortest(value_type: ParamType, text: &str) -> Result<String, ValueFault> {
    let wrong = || ValueFault(format!("{text:?} is not {}", value_type.with_article()));
    match value_type {
        ParamType::String => Ok(text.to_owned()),
        ParamType::Int => text.parse::<i64>().map(|v| v.to_string()).map_err(|_| wrong()),
        ParamType::Float => decimal(text).map(|v| v.normalize().to_string()).ok_or_else(wrong),
        ParamType::Bool => text.parse::<bool>().map(|v| v.to_string()).map_err(|_| wrong()),
        ParamType::Instant => DateTime::parse_from_rfc3339(text).map(|_| text.to_owned()).map_err(|_| wrong()),
        ParamType::Duration => parse_duration(text).map(spell_duration).ok_or_else(wrong),
    }
}

/// The one text of a score: a decimal with at most twenty digits in front of its point and four behind it.
pub fn score(text: &str) -> Result<String, ValueFault> {
    let wrong = || ValueFault(format!("{text:?} is no score: a decimal with at most 20 digits, and 4 behind its point"));
    let value = Decimal::from_str(text).ok().filter(|_| !text.contains(['e', 'E'])).ok_or_else(wrong)?.normalize();
    let fits = value.scale() <= 4 && value.trunc().abs() < Decimal::from(100_000_000_000_000_000_000_i128);
    // What a decimal of 28 digits has rounded away is not what was said.
    let said = text.trim_start_matches(['-', '+']).trim_start_matches('0').split_once('.').map_or("", |(_, behind)| behind);
    let exact = said.trim_end_matches('0').len() <= 4;
    if fits && exact { Ok(value.to_string()) } else { Err(wrong()) }
}

/// Compares two texts as values of the type; `None` where either is no such value or the type has no order.
pub fn compare(value_type: ParamType, left: &str, right: &str) -> Option<Ordering> {
    match value_type {
        ParamType::Int | ParamType::Float => Some(decimal(left)?.cmp(&decimal(right)?)),
        ParamType::String => Some(left.cmp(right)),
        ParamType::Bool => Some(left.parse::<bool>().ok()?.cmp(&right.parse::<bool>().ok()?)),
        ParamType::Instant => Some(instant(left)?.cmp(&instant(right)?)),
        ParamType::Duration => Some(parse_duration(left)?.cmp(&parse_duration(right)?)),
    }
}

/// Whether two texts are one value: `1200` and `1200.0` are, for a number.
pub fn same_value(value_type: ParamType, left: &str, right: &str) -> bool {
    compare(value_type, left, right) == Some(Ordering::Equal)
}

/// Seconds of `30m`, `45s`, `2h` or `7d`; `None` for anything else. Whole, above 0, one unit.
pub fn parse_duration(text: &str) -> Option<u64> {
    let unit = text.chars().last()?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return None,
    };
    let digits = &text[..text.len() - 1];
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse::<u64>().ok()?.checked_mul(seconds).filter(|total| *total > 0)
}

/// A span of whole seconds in its largest whole unit: 7200 is `2h`.
pub fn spell_duration(seconds: u64) -> String {
    for (unit, size) in [('d', 86_400), ('h', 3_600), ('m', 60)] {
        if seconds > 0 && seconds.is_multiple_of(size) {
            return format!("{}{unit}", seconds / size);
        }
    }
    format!("{seconds}s")
}

fn decimal(text: &str) -> Option<Decimal> {
    if text.contains(['e', 'E']) { Decimal::from_scientific(text).ok() } else { Decimal::from_str(text).ok() }
}

fn instant(text: &str) -> Option<DateTime<Utc>> {
    DateTime::parse_from_rfc3339(text).ok().map(|at| at.to_utc())
}

/// What a JSON value is, in words for a refusal.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_score_is_kept_as_it_was_said_or_refused() {
        for (said, kept) in [("0.1", "0.1"), ("12345.6789", "12345.6789"), ("7.50", "7.5"), ("-3", "-3"), ("007", "7")] {
            assert_eq!(score(said).as_deref(), Ok(kept), "{said}");
        }
        for exact in ["9007199254740993", "99999999999999999999.9999"] {
            assert_eq!(score(exact).as_deref(), Ok(exact));
        }
        for wrong in ["100000000000000000000", "0.00001", "1e3", "", "NaN", "ten", "0.10000000000000000000000000000000001"] {
            assert!(score(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn one_value_has_one_text() {
        assert_eq!(canonical(ParamType::Float, &json!(5)).unwrap(), "5");
        assert_eq!(canonical(ParamType::Float, &json!(0.5)).unwrap(), "0.5");
        assert_eq!(canonical(ParamType::Float, &json!("1.0000001")).unwrap(), "1.0000001");
        assert_eq!(canonical(ParamType::Int, &json!("1200")).unwrap(), "1200");
        for wrong in [json!("2.0"), json!(null), json!("NaN"), json!("+2"), json!([]), json!(true)] {
            assert!(canonical(ParamType::Float, &wrong).is_err(), "{wrong}");
        }
        for wrong in [json!(1.5), json!("1200.0"), json!("012"), json!(9_223_372_036_854_775_808_u64)] {
            assert!(canonical(ParamType::Int, &wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn values_are_compared_not_spellings() {
        assert!(same_value(ParamType::Float, "1200", "1200.0"));
        assert!(same_value(ParamType::Int, "1200", "1200.0"));
        assert!(!same_value(ParamType::Float, "1.0000001", "1"));
        assert!(!same_value(ParamType::Int, "x", "x"), "two texts that are no numbers are not one number");
        assert!(same_value(ParamType::Duration, "120m", "2h"));
    }

    #[test]
    fn durations_have_one_unit_and_one_spelling() {
        assert_eq!(parse_duration("30m"), Some(1800));
        assert_eq!(spell_duration(7200), "2h");
        assert_eq!(spell_duration(90), "90s");
        for wrong in ["", "m", "0s", "-1m", "1.5h", "1h30m", "١m", "99999999999999999999d", "1M"] {
            assert_eq!(parse_duration(wrong), None, "{wrong}");
        }
    }
}
