//! The actions of the manifest: done, verified, taken back, looked for; and the choices.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::game::{Game, refusal, text};

impl Game {
    pub(super) fn verify(&self, command: &Value) -> Value {
        match self.refuses(command) {
            Some(refused) => refusal("act.verify", "bad_field", &refused),
            None => json!({"kind": "act.verify.ok"}),
        }
    }

    pub(super) fn refuses(&self, command: &Value) -> Option<String> {
        let params = &command["params"];
        match command["action"].as_str().unwrap_or_default() {
            "lanterns.hang" => {
                let count = params["count"].as_u64().unwrap_or_default();
                let hangs = self.hung.len();
                (!(1..=5).contains(&count) || hangs > 50).then(|| format!("{count} lanterns are too many or too few"))
            }
            "lanterns.say" | "lanterns.give" => None,
            other => Some(format!("no action {other}")),
        }
    }

    pub(super) fn perform(&mut self, command: &Value) -> Value {
        if let Some(refused) = self.refuses(command) {
            return refusal("act.perform", "unknown_action", &refused);
        }
        let (run, key) = (text(command, "runId"), text(command, "idempotencyKey"));
        self.applied.push(key.clone());
        match command["action"].as_str().unwrap_or_default() {
            "lanterns.hang" => {
                let count = command["params"]["count"].as_u64().unwrap_or_default();
                let hung: Vec<Value> = (0..count).map(|_| self.hang(&run, &key)).collect();
                json!({"kind": "act.ok", "resources": hung, "words": format!("{count} lanterns hang")})
            }
            "lanterns.give" => {
                let whom = command["params"]["whom"].clone();
                json!({"kind": "act.ok", "participants": [{"memberKey": whom, "score": "1.5", "joinedMs": 1_788_550_000_000_i64}]})
            }
            _ => {
                self.said.push(command["params"]["text"].as_str().unwrap_or_default().to_owned());
                json!({"kind": "act.ok"})
            }
        }
    }

    fn hang(&mut self, run: &str, key: &str) -> Value {
        self.numbers += 1;
        let reference = format!("lantern-{}", self.numbers);
        self.hung.insert(reference.clone(), (run.to_owned(), key.to_owned()));
        json!({"kind": "lantern", "ref": reference})
    }

    pub(super) fn revert(&mut self, command: &Value) -> Value {
        let run = text(command, "runId");
        let named = command["resources"].as_array().cloned().unwrap_or_default();
        let by_key = command["forKey"].as_str().map(|key| {
            let made = self.hung.iter().filter(|(_, (_, made_by))| made_by == key);
            made.map(|(reference, _)| json!({"kind": "lantern", "ref": reference})).collect::<Vec<_>>()
        });
        let mut lists: BTreeMap<&str, Vec<Value>> = [("removed", vec![]), ("gone", vec![]), ("refused", vec![])].into();
        for thing in named.into_iter().chain(by_key.unwrap_or_default()) {
            let reference = text(&thing, "ref");
            let list = match self.hung.get(&reference) {
                None => "gone",
                Some((owner, _)) if *owner != run => "refused",
                Some(_) => "removed",
            };
            if list == "removed" {
                self.hung.remove(&reference);
            }
            lists.entry(list).or_default().push(json!({"kind": thing["kind"], "ref": reference}));
        }
        let mut answer = json!(lists);
        answer["kind"] = json!("act.revert.ok");
        answer
    }

    pub(super) fn reconcile(&self, command: &Value) -> Value {
        let all = command["resources"].as_array().cloned().unwrap_or_default();
        let (present, gone): (Vec<Value>, Vec<Value>) =
            all.into_iter().partition(|thing| self.hung.contains_key(&text(thing, "ref")));
        json!({"kind": "act.reconcile.ok", "present": present, "gone": gone})
    }
}

pub(super) fn options(command: &Value) -> Value {
    if command["source"] != "lanterns.options.places" {
        return refusal("options.list", "unknown_source", "no such list");
    }
    json!({"kind": "options.ok", "choices": [{"value": "bridge", "label": "The bridge", "group": "Outside"},
        {"value": "hall", "label": "The great hall"}]})
}
