//! The values that are lent, and the holds on them.

use serde_json::{Value, json};

use super::game::{Game, Hold, refusal, text};

const LEASES: [(&str, &str, &str, &str, &str); 5] = [
    ("lanterns.brightness", "int", "5", "1", "10"),
    ("lanterns.motto", "string", "Mind the wick", "", ""),
    ("lanterns.lit", "bool", "true", "", ""),
    ("lanterns.wick@post-3", "int", "4", "1", "10"),
    ("lanterns.wick@post-4", "int", "4", "1", "10"),
];
const LONGEST_HOLD_MS: u64 = 86_400_000;

pub fn at_boot() -> std::collections::BTreeMap<String, String> {
    LEASES.into_iter().map(|(key, _, default, ..)| (key.to_owned(), default.to_owned())).collect()
}

impl Game {
    pub(super) fn leases(&self) -> Value {
        let row = |(key, of, default, min, max): (&str, &str, &str, &str, &str)| {
            let mut row = json!({"key": key, "type": of, "current": self.values[key], "default": default,
                "maxHoldMs": LONGEST_HOLD_MS, "reaches": "everyone"});
            if !min.is_empty() {
                row["min"] = json!(min);
                row["max"] = json!(max);
            }
            if let Some(hold) = self.holds.get(key) {
                row["held"] = json!({"runId": hold.run, "baseline": hold.baseline, "applied": hold.applied,
                    "untilMs": 1_788_550_000_000_u64 + hold.lasts_ms, "expired": false, "restored": false});
            }
            row
        };
        json!({"kind": "lease.list.ok", "leases": LEASES.map(row)})
    }

    pub(super) fn apply(&mut self, command: &Value) -> Value {
        let (key, value, run) = (text(command, "key"), text(command, "value"), text(command, "runId"));
        let hold_ms = command["holdMs"].as_u64().unwrap_or_default();
        let Some(baseline) = self.values.get(&key).cloned() else {
            return refusal("lease.apply", "unknown_lease", "no such value");
        };
        if let Some(hold) = self.holds.get(&key) {
            return refusal("lease.apply", "held", &format!("{} holds it", hold.run));
        }
        if hold_ms > LONGEST_HOLD_MS {
            return refusal("lease.apply", "hold_too_long", "too long");
        }
        let number = value.parse::<i64>();
        let is_number = key == "lanterns.brightness" || key.starts_with("lanterns.wick@");
        if is_number && !number.is_ok_and(|number| (1..=10).contains(&number)) {
            return refusal("lease.apply", "out_of_range", "1 to 10");
        }
        self.applied.push(text(command, "idempotencyKey"));
        self.set(&key, &value);
        self.holds.insert(key, Hold { run, baseline: baseline.clone(), applied: value.clone(), lasts_ms: hold_ms });
        json!({"kind": "lease.ok", "baseline": baseline, "applied": value, "untilMs": 1_788_550_000_000_u64 + hold_ms})
    }

    pub(super) fn release(&mut self, command: &Value) -> Value {
        let (key, run) = (text(command, "key"), text(command, "runId"));
        let Some(current) = self.values.get(&key).cloned() else {
            return refusal("lease.release", "unknown_lease", "no such value");
        };
        let Some(hold) = self.holds.get(&key).filter(|hold| hold.run == run).cloned() else {
            return json!({"kind": "lease.ok", "held": false, "current": current});
        };
        self.holds.remove(&key);
        if current != hold.applied {
            return json!({"kind": "lease.drifted", "current": current, "baseline": hold.baseline, "applied": hold.applied});
        }
        self.set(&key, &hold.baseline);
        json!({"kind": "lease.ok", "restored": true, "baseline": hold.baseline, "current": hold.baseline})
    }
}
