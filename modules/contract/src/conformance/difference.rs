//! Where two worlds differ, for whoever has to find out why.

use serde_json::Value;

/// The first place at which they differ, and what is there; `nowhere` where they are equal.
pub fn difference(before: &Value, after: &Value) -> String {
    first(before, after, "").unwrap_or_else(|| "nowhere".into())
}

fn first(before: &Value, after: &Value, at: &str) -> Option<String> {
    match (before, after) {
        (Value::Object(left), Value::Object(right)) => {
            let names = left.keys().chain(right.keys().filter(|name| !left.contains_key(*name)));
            let pairs = names.map(|name| (name, left.get(name).unwrap_or(&Value::Null), right.get(name).unwrap_or(&Value::Null)));
            pairs.into_iter().find_map(|(name, left, right)| first(left, right, &format!("{at}/{name}")))
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            left.iter().zip(right).enumerate().find_map(|(place, (left, right))| first(left, right, &format!("{at}/{place}")))
        }
        _ if before == after => None,
        _ => Some(format!("{at}: {} became {}", short(before), short(after))),
    }
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(200).collect()
}
