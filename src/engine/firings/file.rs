//! Reading trigger files: `trigger-NAME.json`, strictly, with every fault told.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use leasehold_aggregates::body::{Fault, Faults, Object, Text, parse};
use leasehold_aggregates::condition::{Condition, Types};
use serde_json::{Map, Value};

use crate::engine::registry::Registry;
use crate::engine::signals::Heard;

/// Most bytes of one file.
const LONGEST: usize = 64 * 1024;

/// One trigger file.
#[derive(Debug, Clone, PartialEq)]
pub struct TriggerFile {
    /// From the file's name.
    pub name: String,
    /// The exact trigger that it is on.
    pub on: String,
    /// The one scope whose signals count.
    pub scope: String,
    pub condition: Option<Condition>,
    types: Types,
    /// The slug or the id of the definition that it starts.
    pub start: String,
    pub params: Map<String, Value>,
}

/// A trigger file as it was found, not judged yet.
#[derive(Debug, Clone)]
pub struct TriggerText {
    /// From the file's name.
    pub name: String,
    pub path: PathBuf,
    pub text: Vec<u8>,
}

/// Why a trigger file does nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct TriggerFault {
    pub path: PathBuf,
    pub reason: String,
}

impl TriggerText {
    /// The trigger that it names, if it is whole enough to name one.
    pub fn on(&self) -> Option<String> {
        let body: Value = serde_json::from_slice(&self.text).ok()?;
        body["on"].as_str().map(str::to_owned)
    }

    /// What the file says, by what can be reached for: its trigger has to be declared, and its condition to fit that.
    pub fn judge(&self, registry: &Registry) -> Result<TriggerFile, TriggerFault> {
        TriggerFile::read(&self.name, &self.text, registry).map_err(|faults| {
            let each: Vec<String> = faults.iter().map(|fault| format!("{} {}", fault.pointer, fault.detail)).collect();
            TriggerFault { path: self.path.clone(), reason: each.join("; ") }
        })
    }
}

impl TriggerFile {
    /// The consumer that its firings are recorded under.
    pub fn consumer(&self) -> String {
        format!("trigger/{}", self.name)
    }

    /// Whether it is on this signal.
    pub fn is_on(&self, heard: &Heard) -> bool {
        let holds = |condition: &Condition| condition.judge(&heard.vars, &self.types).is_ok();
        heard.trigger == self.on && heard.scope == self.scope && self.condition.as_ref().is_none_or(holds)
    }

    /// Reads the text of a file called `name`; every fault with its place.
    pub fn read(name: &str, text: &[u8], registry: &Registry) -> Result<Self, Vec<Fault>> {
        let body = parse(text, LONGEST).map_err(|bad| vec![Fault::new("", "bad_json", bad.to_string())])?;
        let faults = Faults::default();
        let object = Object::of(&body, "", &faults);
        let condition = object.nullable("where").and_then(|value| Condition::read(value, "/where", &faults));
        let file = Self {
            name: name.to_owned(),
            on: object.text("on", Text::line(1, 128)),
            scope: object.nullable_text("scope", Text::key()).unwrap_or_else(|| "main".to_owned()),
            condition,
            types: Types::new(),
            start: object.text("start", Text::line(1, 64)),
            params: object.map("params"),
        };
        object.finish();
        let mut faults = faults.into_inner();
        let types = if let Some((trigger, _)) = registry.trigger(&file.on) {
            faults.extend(file.condition.iter().flat_map(|condition| condition.check(trigger, "/where")));
            trigger.fields.iter().map(|field| (field.name.clone(), field.value_type)).collect()
        } else {
            let detail = format!("there is no trigger {:?} here: is its module installed?", file.on);
            faults.push(Fault::new("/on", "unknown_trigger", detail));
            Types::new()
        };
        if faults.is_empty() { Ok(Self { types, ..file }) } else { Err(faults) }
    }
}

/// The trigger files of the workspace, and those of the home of which the workspace has none of the same name; and which of
/// them cannot be read. A folder that is not there has none.
pub fn discover(workspace: &Path, home: Option<&Path>) -> (Vec<TriggerText>, Vec<TriggerFault>) {
    let (mut found, mut faults) = (BTreeMap::new(), Vec::new());
    for folder in home.into_iter().chain([workspace]) {
        match named(folder) {
            Ok(paths) => found.extend(paths),
            Err(reason) => faults.push(TriggerFault { path: folder.to_owned(), reason: reason.to_string() }),
        }
    }
    let mut texts = Vec::new();
    for (name, path) in found {
        match std::fs::read(&path) {
            Ok(text) => texts.push(TriggerText { name, path, text }),
            Err(error) => faults.push(TriggerFault { path, reason: error.to_string() }),
        }
    }
    (texts, faults)
}

/// The files of a folder that are called so, by what they are called.
fn named(folder: &Path) -> std::io::Result<BTreeMap<String, PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Err(missing) if missing.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        other => other?,
    };
    let mut found = BTreeMap::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.and_then(|name| name.strip_prefix("trigger-")?.strip_suffix(".json"));
        if let Some(name) = name.filter(|name| !name.is_empty() && name.len() <= 64) {
            found.insert(name.to_owned(), path.clone());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn registry() -> Registry {
        Registry::new(Vec::new()).unwrap()
    }

    fn read(body: &Value) -> Result<TriggerFile, Vec<String>> {
        TriggerFile::read("one", body.to_string().as_bytes(), &registry())
            .map_err(|faults| faults.into_iter().map(|fault| format!("{} {}", fault.pointer, fault.code)).collect())
    }

    fn heard(scope: &str, title: &str) -> Heard {
        Heard {
            position: 1,
            at: chrono::DateTime::UNIX_EPOCH,
            trigger: "event.run.completed".into(),
            scope: scope.into(),
            hops: 0,
            rehearsal: false,
            vars: json!({"title": title}).as_object().cloned().unwrap(),
        }
    }

    #[test]
    fn a_file_is_read_strictly() {
        let sound =
            json!({"on": "event.run.completed", "where": {"var": "title", "cmp": "eq", "value": "Lamps"}, "start": "party"});
        let file = read(&sound).unwrap();
        assert!(file.is_on(&heard("main", "Lamps")));
        assert!(!file.is_on(&heard("main", "Rates")), "its condition");
        assert!(!file.is_on(&heard("east", "Lamps")), "another scope's");
        for (wrong, faults) in [
            (json!({"start": "party"}), vec!["/on required", "/on unknown_trigger"]),
            (json!({"on": "event.run.ended", "start": "party"}), vec!["/on unknown_trigger"]),
            (json!({"on": "event.run.completed"}), vec!["/start required"]),
            (json!({"on": "event.run.completed", "start": "party", "role": "admin"}), vec!["/role unknown_field"]),
            (
                json!({"on": "event.run.completed", "start": "party", "where": {"var": "x", "cmp": "present"}}),
                vec!["/where/var unknown_variable"],
            ),
            (json!([]), vec![" wrong_type", "/on unknown_trigger"]),
        ] {
            assert_eq!(read(&wrong).unwrap_err(), faults, "{wrong}");
        }
        assert!(TriggerFile::read("one", b"{", &registry()).is_err());
    }

    #[test]
    fn the_workspace_goes_before_the_home() {
        let home = tempfile::tempdir().unwrap();
        let workspace = tempfile::tempdir().unwrap();
        let write = |folder: &Path, name: &str, start: &str| {
            let body = json!({"on": "event.run.completed", "start": start}).to_string();
            std::fs::write(folder.join(name), body).unwrap();
        };
        write(home.path(), "trigger-both.json", "from-home");
        write(home.path(), "trigger-home.json", "from-home");
        write(workspace.path(), "trigger-both.json", "from-workspace");
        write(workspace.path(), "other.json", "nothing");
        std::fs::write(workspace.path().join("trigger-broken.json"), "{").unwrap();
        let (texts, faults) = discover(workspace.path(), Some(home.path()));
        assert_eq!((texts.len(), faults), (3, Vec::new()));
        let judged: Vec<_> = texts.iter().map(|text| text.judge(&registry()).map(|file| file.start)).collect();
        assert_eq!((&judged[0], &judged[2]), (&Ok("from-workspace".to_owned()), &Ok("from-home".to_owned())));
        let broken = judged[1].as_ref().unwrap_err().to_string();
        assert!(broken.contains("trigger-broken.json"), "{broken}");
        let (none, faults) = discover(&workspace.path().join("nowhere"), None);
        assert!(none.is_empty() && faults.is_empty());
    }
}
