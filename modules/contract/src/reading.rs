//! Reading a manifest that somebody sent: entry by entry, so that every fault names the entry in which it is.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{Manifest, ManifestFault};

/// Most entries of one kind.
const MOST_ENTRIES: usize = 200;

impl Manifest {
    /// Reads what came. A missing `budgetMs` of an action or lease is `budget_ms`. Every fault of form at once; whether what
    /// was read is sound is [`Manifest::faults`]'s to say.
    pub fn read(sent: &Map<String, Value>, budget_ms: u64) -> Result<Self, Vec<ManifestFault>> {
        let mut reading = Reading { faults: Vec::new() };
        let known = ["id", "label", "version", "actions", "budgets", "leases", "optionSources", "triggers"];
        for name in sent.keys().filter(|name| !known.contains(&name.as_str())) {
            reading.fault("manifest", format!("there is no field {:?}", clip(name)));
        }
        let manifest = Self {
            id: reading.field(sent, "id"),
            label: reading.field(sent, "label"),
            version: reading.field(sent, "version"),
            actions: reading.list(sent, "actions", Some(budget_ms)),
            budgets: reading.list(sent, "budgets", None),
            leases: reading.list(sent, "leases", Some(budget_ms)),
            option_sources: reading.list(sent, "optionSources", None),
            triggers: reading.list(sent, "triggers", None),
        };
        if reading.faults.is_empty() { Ok(manifest) } else { Err(reading.faults) }
    }
}

struct Reading {
    faults: Vec<ManifestFault>,
}

impl Reading {
    fn fault(&mut self, entry: &str, reason: String) {
        self.faults.push(ManifestFault { entry: entry.to_owned(), reason });
    }

    fn field<T: DeserializeOwned + Default>(&mut self, sent: &Map<String, Value>, name: &str) -> T {
        let read = serde_json::from_value(sent.get(name).cloned().unwrap_or(Value::Null));
        read.unwrap_or_else(|error| {
            self.fault("manifest", format!("{name}: {error}"));
            T::default()
        })
    }

    fn list<T: DeserializeOwned>(&mut self, sent: &Map<String, Value>, name: &str, budget_ms: Option<u64>) -> Vec<T> {
        let entries = match sent.get(name) {
            None => return Vec::new(),
            // Some languages have one empty table for both.
            Some(Value::Object(empty)) if empty.is_empty() => return Vec::new(),
            Some(Value::Array(entries)) if entries.len() <= MOST_ENTRIES => entries,
            Some(_) => {
                self.fault("manifest", format!("{name} must be a list of at most {MOST_ENTRIES} entries"));
                return Vec::new();
            }
        };
        let mut read = Vec::new();
        for (place, entry) in entries.iter().enumerate() {
            let mut entry = entry.clone();
            if let (Some(budget_ms), Some(fields)) = (budget_ms, entry.as_object_mut()) {
                fields.entry("budgetMs").or_insert(budget_ms.into());
            }
            let id = entry.get("id").and_then(Value::as_str).map_or_else(|| format!("{name}[{place}]"), clip);
            match serde_json::from_value(entry) {
                Ok(entry) => read.push(entry),
                Err(error) => self.fault(&id, clip(&error.to_string())),
            }
        }
        read
    }
}

/// The beginning of a text that somebody sent, fit to be told in a line.
fn clip(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(300).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(sent: &Value) -> Result<Manifest, Vec<ManifestFault>> {
        Manifest::read(sent.as_object().unwrap(), 15_000)
    }

    fn lamps() -> Value {
        json!({"id": "demo", "label": "Demo", "version": 1, "budgets": {}, "actions": [
            {"id": "demo.lamp.light", "label": "Light", "description": "Lights a lamp.", "summary": "light", "risk": "change",
             "reversible": "ledger", "promise": "effect_once", "version": 1,
             "params": [{"name": "hue", "type": "int", "required": true, "example": 3}]}]})
    }

    #[test]
    fn what_is_left_out_is_filled_in_and_what_is_said_stands() {
        let manifest = read(&lamps()).unwrap();
        assert_eq!((manifest.actions[0].budget_ms, manifest.budgets.len()), (15_000, 0));
        let mut said = lamps();
        said["actions"][0]["budgetMs"] = json!(20_000);
        assert_eq!(read(&said).unwrap().actions[0].budget_ms, 20_000);
    }

    #[test]
    fn every_fault_of_form_names_its_entry() {
        for (pointer, value, entry, words) in [
            ("/actions/0/params/0/type", json!("colour"), "demo.lamp.light", "colour"),
            ("/actions/0/risk", json!("harmless"), "demo.lamp.light", "harmless"),
            ("/actions/0/promise", json!(null), "demo.lamp.light", "null"),
            ("/actions/0/id", json!(7), "actions[0]", "invalid type"),
            ("/actions/0/label", json!(["x"]), "demo.lamp.light", "invalid type"),
            ("/actions", json!("all"), "manifest", "actions must be a list"),
            ("/version", json!(-1), "manifest", "version"),
            ("/id", json!(null), "manifest", "id"),
        ] {
            let mut sent = lamps();
            *sent.pointer_mut(pointer).unwrap() = value;
            let faults = read(&sent).unwrap_err();
            assert!(faults.iter().any(|f| f.entry == entry && f.reason.contains(words)), "{pointer}: {faults:?}");
        }
        let mut extra = lamps();
        extra["actions"][0]["lua"] = json!("os.exit()");
        extra["passwords"] = json!([]);
        let told: Vec<_> = read(&extra).unwrap_err().into_iter().map(|fault| fault.entry).collect();
        assert_eq!(told, ["manifest", "demo.lamp.light"]);
    }

    #[test]
    fn all_faults_are_told_at_once_and_none_is_long() {
        let mut sent = lamps();
        sent["actions"] = json!([{"id": "x".repeat(5_000)}, 5, {"id": "demo.b\n"}]);
        let faults = read(&sent).unwrap_err();
        assert_eq!(faults.len(), 3);
        assert!(faults.iter().all(|fault| fault.entry.len() <= 300 && !fault.entry.contains('\n')), "{faults:?}");
    }
}
