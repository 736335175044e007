//! What differs between two states of a definition, told as an author would. Phases and steps are known by their keys and
//! parameters by their names, so that one more in front of them changes nothing about them; what only stands elsewhere has
//! moved.

use leasehold_aggregates::condition::Condition;
use leasehold_aggregates::definition::Content;
use leasehold_aggregates::plan::{Advance, ParamDecl, Phase, Plan, Step};
use leasehold_aggregates::schedule::Schedule;
use leasehold_module::spell_duration;
use serde_json::{Map, Value, json};

use super::words::{Place, sentence};
use super::{Change, ChangeKind};

/// Everything that differs, in the order in which a definition is written down.
pub fn content_changes(from: &Content, to: &Content) -> Vec<Change> {
    let mut found = Found::default();
    found.field("/title", "title", json!(from.title), json!(to.title));
    found.field("/summary", "summary", json!(from.summary), json!(to.summary));
    found.field("/storyline", "storyline", json!(from.storyline), json!(to.storyline));
    found.field("/image", "image", json!(from.image), json!(to.image));
    found.field("/venue", "venue", json!(from.venue), json!(to.venue));
    found.field("/category", "category", json!(from.category), json!(to.category));
    found.field("/ownerModule", "owner module", json!(from.owner_module), json!(to.owner_module));
    found.field("/timezone", "timezone", json!(from.timezone), json!(to.timezone));
    found.field("/graceSeconds", "grace in seconds", json!(from.grace_seconds), json!(to.grace_seconds));
    found.field("/concurrencyKey", "concurrency key", json!(from.concurrency_key), json!(to.concurrency_key));
    found.schedule(&from.plan.schedule, &to.plan.schedule);
    found.params(&from.plan.params, &to.plan.params);
    found.phases(&from.plan, &to.plan);
    found.0
}

#[derive(Default)]
struct Found(Vec<Change>);

impl Found {
    fn push(&mut self, pointer: String, kind: ChangeKind, (from, to): (Value, Value), text: String) {
        self.0.push(Change { pointer, kind, from, to, text });
    }

    /// One field, by what it says; null is not there.
    fn field(&mut self, pointer: impl Into<String>, words: impl Into<String>, from: Value, to: Value) {
        if from == to {
            return;
        }
        let kind = match (&from, &to) {
            (Value::Null, _) => ChangeKind::Added,
            (_, Value::Null) => ChangeKind::Removed,
            _ => ChangeKind::Changed,
        };
        let place = Place::called(pointer, words);
        let text = sentence(&place, kind, &from, &to);
        self.push(place.pointer, kind, (from, to), text);
    }

    fn schedule(&mut self, from: &Schedule, to: &Schedule) {
        if from != to {
            let text = format!("schedule: was {}, is {}", from.sentence(), to.sentence());
            self.push("/spec/schedule".into(), ChangeKind::Changed, (json!(from), json!(to)), text);
        }
    }

    /// Names that both lists have, where they do not follow each other as they did.
    fn order(&mut self, pointer: &str, words: &str, from: &[&str], to: &[&str]) {
        let was: Vec<&str> = from.iter().copied().filter(|name| to.contains(name)).collect();
        let is: Vec<&str> = to.iter().copied().filter(|name| from.contains(name)).collect();
        if was != is {
            let text = format!("order of the {words}: was {}, is {}", was.join(", "), is.join(", "));
            self.push(pointer.to_owned(), ChangeKind::Moved, (json!(was), json!(is)), text);
        }
    }

    fn params(&mut self, from: &[ParamDecl], to: &[ParamDecl]) {
        for (index, decl) in to.iter().enumerate() {
            let (at, words) = (format!("/spec/params/{index}"), format!("parameter {}", decl.name));
            match from.iter().find(|before| before.name == decl.name) {
                None => self.field(at, words, Value::Null, json!(decl)),
                Some(before) => self.fields(&at, &words, &json!(before), &json!(decl)),
            }
        }
        for (index, gone) in from.iter().enumerate().filter(|(_, before)| !to.iter().any(|decl| decl.name == before.name)) {
            self.field(format!("/spec/params/{index}"), format!("parameter {}", gone.name), json!(gone), Value::Null);
        }
        let names = |decls: &'_ [ParamDecl]| decls.iter().map(|decl| decl.name.clone()).collect::<Vec<_>>();
        let (was, is) = (names(from), names(to));
        self.order("/spec/params", "parameters", &texts(&was), &texts(&is));
    }

    /// Two objects, field by field.
    fn fields(&mut self, at: &str, words: &str, from: &Value, to: &Value) {
        let none = Map::new();
        let (from, to) = (from.as_object().unwrap_or(&none), to.as_object().unwrap_or(&none));
        let gone = from.iter().filter(|(name, _)| !to.contains_key(*name)).map(|(name, _)| name);
        for name in to.keys().chain(gone) {
            let at = Place::called(at, "").field(name).pointer;
            let value = |fields: &Map<String, Value>| fields.get(name).cloned().unwrap_or_default();
            self.field(at, format!("{words}, {name}"), value(from), value(to));
        }
    }

    fn phases(&mut self, from: &Plan, to: &Plan) {
        for (index, phase) in to.phases.iter().enumerate() {
            let at = format!("/spec/phases/{index}");
            match from.phases.iter().find(|before| before.key == phase.key) {
                None => self.new_phase(&at, phase),
                Some(before) => self.phase(&at, before, phase),
            }
            self.steps(&at, phase, from);
        }
        for (index, gone) in from.phases.iter().enumerate() {
            let at = format!("/spec/phases/{index}");
            let stays = to.phases.iter().any(|phase| phase.key == gone.key);
            if !stays {
                let text = format!("phase {} “{}” was removed", gone.key, gone.label);
                self.push(at.clone(), ChangeKind::Removed, (json!(gone), Value::Null), text);
            }
            for (nth, step) in gone.steps.iter().enumerate().filter(|(_, step)| to.step(&step.key).is_none()) {
                let text = format!("step {} ({}) was removed from phase {}", step.key, step.action, gone.key);
                self.push(format!("{at}/steps/{nth}"), ChangeKind::Removed, (json!(step), Value::Null), text);
            }
        }
        let keys = |plan: &Plan| plan.phases.iter().map(|phase| phase.key.clone()).collect::<Vec<_>>();
        let (was, is) = (keys(from), keys(to));
        self.order("/spec/phases", "phases", &texts(&was), &texts(&is));
    }

    fn new_phase(&mut self, at: &str, phase: &Phase) {
        let text = format!("phase {} “{}” was added", phase.key, phase.label);
        self.push(at.to_owned(), ChangeKind::Added, (Value::Null, json!(phase)), text);
    }

    fn phase(&mut self, at: &str, from: &Phase, to: &Phase) {
        let words = format!("phase {}", to.key);
        self.field(format!("{at}/label"), format!("{words}, label"), json!(from.label), json!(to.label));
        if from.advance != to.advance {
            let text = format!("{words}, advance: was {}, is {}", gate(from.advance.as_ref()), gate(to.advance.as_ref()));
            let (from, to) = (json!(from.advance), json!(to.advance));
            self.push(format!("{at}/advance"), ChangeKind::Changed, (from, to), text);
        }
        let keys = |phase: &Phase| phase.steps.iter().map(|step| step.key.clone()).collect::<Vec<_>>();
        let (was, is) = (keys(from), keys(to));
        self.order(&format!("{at}/steps"), &format!("steps of phase {}", to.key), &texts(&was), &texts(&is));
    }

    /// The steps of a later phase, each against the earlier step of its key, wherever that stood.
    fn steps(&mut self, at: &str, phase: &Phase, from: &Plan) {
        for (index, step) in phase.steps.iter().enumerate() {
            let at = format!("{at}/steps/{index}");
            let Some((stood, before)) = from.step(&step.key) else {
                let text = format!("step {} ({}) was added to phase {}", step.key, step.action, phase.key);
                self.push(at, ChangeKind::Added, (Value::Null, json!(step)), text);
                continue;
            };
            let stood = &from.phases[stood].key;
            if *stood != phase.key {
                let text = format!("step {}: was in phase {stood}, is in phase {}", step.key, phase.key);
                self.push(at.clone(), ChangeKind::Moved, (json!(stood), json!(phase.key)), text);
            }
            self.step(&at, before, step);
        }
    }

    fn step(&mut self, at: &str, from: &Step, to: &Step) {
        let words = format!("step {}", to.key);
        let mut field = |name: &str, called: &str, from: Value, to: Value| {
            self.field(format!("{at}/{name}"), format!("{words}, {called}"), from, to);
        };
        field("action", "action", json!(from.action), json!(to.action));
        field("actionVersion", "version of the action", json!(from.action_version), json!(to.action_version));
        field("onFailure", "on failure", json!(from.on_failure), json!(to.on_failure));
        field(
            "holdFor",
            "what follows is held",
            json!(from.hold_for.map(spell_duration)),
            json!(to.hold_for.map(spell_duration)),
        );
        field("await", "waits for", json!(from.awaits), json!(to.awaits));
        self.fields(&format!("{at}/params"), &words, &json!(from.params), &json!(to.params));
    }
}

fn texts(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

fn gate(advance: Option<&Advance>) -> String {
    match advance {
        None => "at once".to_owned(),
        Some(Advance::After { after }) => format!("{} after it begins", spell_duration(*after)),
        Some(Advance::On { on, condition, count, timeout }) => {
            let condition = condition.as_ref().and_then(|stored| Condition::from_stored(stored).ok());
            let only = condition.map(|condition| format!(" where {}", condition.words())).unwrap_or_default();
            let given_up = timeout
                .as_ref()
                .map(|timeout| format!(", after {} {}", spell_duration(timeout.after), crate::sentences::time_out(timeout.then)));
            format!("on {count} of {on}{only}{}", given_up.unwrap_or_default())
        }
    }
}

#[cfg(test)]
#[expect(clippy::needless_pass_by_value, reason = "what is written in place is handed over as it is")]
mod tests {
    use super::*;

    fn content(spec: Value) -> Content {
        serde_json::from_value(json!({
            "title": "Harvest", "summary": "", "storyline": "", "image": null, "venue": null, "category": "",
            "ownerModule": null, "timezone": "UTC", "graceSeconds": 900, "concurrencyKey": null, "spec": spec,
        }))
        .unwrap()
    }

    fn step(key: &str, params: Value) -> Value {
        json!({"key": key, "action": "demo.lamp.light", "actionVersion": 1, "params": params})
    }

    fn spec(phases: Value) -> Value {
        json!({"schedule": {"kind": "manual"}, "params": [], "phases": phases})
    }

    fn told(from: &Content, to: &Content) -> Vec<(String, ChangeKind, String)> {
        content_changes(from, to).into_iter().map(|change| (change.pointer, change.kind, change.text)).collect()
    }

    #[test]
    fn fields_and_the_schedule_are_told_in_words() {
        let before = content(spec(json!([])));
        let mut after = before.clone();
        after.title = "Harvest Ball".into();
        after.concurrency_key = Some("square".into());
        let weekly = json!({"kind": "weekly", "days": ["friday"], "time": "20:00"});
        after.plan.schedule = serde_json::from_value(weekly).unwrap();
        let expected = [
            ("/title", ChangeKind::Changed, "title: was “Harvest”, is “Harvest Ball”"),
            ("/concurrencyKey", ChangeKind::Added, "concurrency key: was not there, is “square”"),
            (
                "/spec/schedule",
                ChangeKind::Changed,
                "schedule: was whenever somebody starts it, is every week on Friday at 20:00",
            ),
        ];
        assert_eq!(told(&before, &after), expected.map(|(at, kind, text)| (at.to_owned(), kind, text.to_owned())));
        assert_eq!(told(&before, &before), []);
    }

    #[test]
    fn steps_are_known_by_their_keys_wherever_they_stand() {
        let phase = |key: &str, steps: Value| json!({"key": key, "label": key, "steps": steps});
        let (a, b, c) = (step("a", json!({"count": 1})), step("b", json!({})), step("c", json!({})));
        let before = content(spec(json!([phase("one", json!([a, b])), phase("two", json!([c]))])));
        let more = step("a", json!({"count": 2, "place": "quay"}));
        let front = step("new", json!({}));
        let after = content(spec(json!([phase("one", json!([front, b, more, c]))])));
        let told: Vec<String> = told(&before, &after).into_iter().map(|(at, _, text)| format!("{at} {text}")).collect();
        let expected = [
            "/spec/phases/0/steps order of the steps of phase one: was a, b, is b, a",
            "/spec/phases/0/steps/0 step new (demo.lamp.light) was added to phase one",
            "/spec/phases/0/steps/2/params/count step a, count: was 1, is 2",
            "/spec/phases/0/steps/2/params/place step a, place: was not there, is “quay”",
            "/spec/phases/0/steps/3 step c: was in phase two, is in phase one",
            "/spec/phases/1 phase two “two” was removed",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn parameters_are_known_by_their_names() {
        let decl = |name: &str, default: Value| json!({"name": name, "type": "int", "required": true, "default": default});
        let with = |params: Value| content(json!({"schedule": {"kind": "manual"}, "params": params, "phases": []}));
        let before = with(json!([decl("a", json!(1)), decl("b", json!(1))]));
        let after = with(json!([decl("c", json!(1)), decl("a", json!(2))]));
        let told: Vec<(String, ChangeKind)> = told(&before, &after).into_iter().map(|(at, kind, _)| (at, kind)).collect();
        let expected = [
            ("/spec/params/0", ChangeKind::Added),
            ("/spec/params/1/default", ChangeKind::Changed),
            ("/spec/params/1", ChangeKind::Removed),
        ];
        assert_eq!(told, expected.map(|(at, kind)| (at.to_owned(), kind)));
        let swapped = with(json!([decl("b", json!(1)), decl("a", json!(1))]));
        let moved = content_changes(&before, &swapped);
        assert_eq!(
            (moved.len(), moved[0].kind, moved[0].text.as_str()),
            (1, ChangeKind::Moved, "order of the parameters: was a, b, is b, a")
        );
    }
}
