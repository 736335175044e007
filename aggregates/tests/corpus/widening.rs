//! Whether a schema may take another's place without a new version: whatever was valid stays valid, and no object gains
//! or loses a field.

use serde_json::{Map, Value, json};

/// A schema with the definitions that its references name.
#[derive(Clone, Copy)]
struct Shape<'a> {
    root: &'a Value,
    at: &'a Value,
}

/// Why `new` may not take the place of `old`; none where it may.
pub fn hindrance(old: &Value, new: &Value) -> Option<String> {
    narrowed(Shape { root: old, at: old }, Shape { root: new, at: new }, "").err()
}

fn narrowed(old: Shape<'_>, new: Shape<'_>, place: &str) -> Result<(), String> {
    if *new.at == json!(true) {
        return Ok(());
    }
    for one in old.alternatives() {
        let verdicts: Vec<_> = new.alternatives().iter().map(|other| one.fits(other, place)).collect();
        if verdicts.iter().any(Result::is_ok) {
            continue;
        }
        let gone = || format!("{place}: {} is not taken any more", one.name());
        return match <[_; 1]>::try_from(verdicts) {
            Ok([only]) => only,
            Err(_) => Err(gone()),
        };
    }
    Ok(())
}

/// One way in which a value may be valid, with its references followed.
struct Alternative<'a> {
    root: &'a Value,
    /// The key words that bind; no words for people.
    rules: Map<String, Value>,
}

const WORDS: [&str; 4] = ["$schema", "$defs", "title", "description"];

impl<'a> Shape<'a> {
    fn inner(self, at: &'a Value) -> Self {
        Self { root: self.root, at }
    }

    fn alternatives(self) -> Vec<Alternative<'a>> {
        let Some(rules) = self.at.as_object() else {
            return vec![Alternative { root: self.root, rules: Map::from_iter([("any".to_owned(), self.at.clone())]) }];
        };
        if let Some(reference) = rules.get("$ref").and_then(Value::as_str) {
            let target = self.root.pointer(reference.trim_start_matches('#')).unwrap();
            return self.inner(target).alternatives();
        }
        if let Some(Value::Array(choices)) = rules.get("oneOf").or_else(|| rules.get("anyOf")) {
            return choices.iter().flat_map(|choice| self.inner(choice).alternatives()).collect();
        }
        let rules: Map<String, Value> = rules
            .iter()
            .filter(|(word, _)| !WORDS.contains(&word.as_str()))
            .map(|(word, rule)| (word.clone(), rule.clone()))
            .collect();
        let each = |word: &str, becomes: &str| {
            let list = rules.get(word)?.as_array()?.clone();
            let one = |rule| {
                let mut rules = rules.clone();
                rules.remove(word);
                rules.insert(becomes.to_owned(), rule);
                Alternative { root: self.root, rules }
            };
            Some(list.into_iter().map(one).collect::<Vec<_>>())
        };
        each("enum", "const").or_else(|| each("type", "type")).unwrap_or_else(|| vec![Alternative { root: self.root, rules }])
    }
}

impl Alternative<'_> {
    fn name(&self) -> String {
        let tag = |properties: &Value| {
            let tagged = ["type", "kind", "code", "cause", "outcome"].map(|tag| properties.get(tag)?.get("const").cloned());
            tagged.into_iter().flatten().next()
        };
        let name = self.rules.get("const").cloned().or_else(|| tag(self.rules.get("properties")?));
        name.or_else(|| self.rules.get("type").cloned()).unwrap_or_default().to_string()
    }

    fn fits(&self, new: &Self, place: &str) -> Result<(), String> {
        for word in ["type", "const", "required", "any"] {
            if sorted(self.rules.get(word)) != sorted(new.rules.get(word)) {
                return Err(format!("{place}: {word} is different"));
            }
        }
        for word in ["format", "pattern"] {
            if new.rules.get(word).is_some_and(|rule| Some(rule) != self.rules.get(word)) {
                return Err(format!("{place}: {word} is different"));
            }
        }
        for (word, rises) in [("minimum", false), ("maximum", true)] {
            let bound = |rules: &Map<String, Value>| rules.get(word).and_then(Value::as_i64);
            let kept = match (bound(&self.rules), bound(&new.rules)) {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(old), Some(new)) => {
                    if rises {
                        new >= old
                    } else {
                        new <= old
                    }
                }
            };
            if !kept {
                return Err(format!("{place}: {word} is narrower"));
            }
        }
        self.properties_fit(new, place)?;
        for word in ["items", "additionalProperties"] {
            match (self.rules.get(word), new.rules.get(word)) {
                (Some(old), Some(other)) => narrowed(self.inner(old), new.inner(other), &format!("{place}/*"))?,
                (None, None) => {}
                _ => return Err(format!("{place}: {word} is different")),
            }
        }
        Ok(())
    }

    fn properties_fit(&self, new: &Self, place: &str) -> Result<(), String> {
        let of = |rules: &Map<String, Value>| rules.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        let (old_fields, new_fields) = (of(&self.rules), of(&new.rules));
        for name in old_fields.keys().chain(new_fields.keys()) {
            let place = format!("{place}/{name}");
            match (old_fields.get(name), new_fields.get(name)) {
                (Some(old), Some(other)) => narrowed(self.inner(old), new.inner(other), &place)?,
                (None, _) => return Err(format!("{place} is a new field")),
                (_, None) => return Err(format!("{place} is gone")),
            }
        }
        Ok(())
    }

    fn inner<'s>(&'s self, at: &'s Value) -> Shape<'s> {
        Shape { root: self.root, at }
    }
}

/// A list of names in no particular order.
fn sorted(rule: Option<&Value>) -> Option<Value> {
    let Some(Value::Array(names)) = rule else { return rule.cloned() };
    let mut names = names.clone();
    names.sort_by_key(Value::to_string);
    Some(Value::Array(names))
}

fn object(fields: &Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": fields, "required": required, "additionalProperties": false})
}

#[test]
fn what_was_valid_stays_valid_or_it_is_said_what_does_not() {
    let text = json!({"type": "string"});
    let old = object(&json!({"a": text, "n": {"type": "integer", "minimum": 0}}), &["a", "n"]);
    let with = |fields: Value, required: &[&str]| hindrance(&old, &object(&fields, required));
    assert_eq!(hindrance(&old, &old), None);
    let wider = json!({"a": {"type": ["string", "null"], "description": "x"}, "n": {"type": "integer", "minimum": -5}});
    assert_eq!(with(wider, &["n", "a"]), None, "more is taken than before");
    let narrower = json!({"a": text, "n": {"type": "integer", "minimum": 1}});
    assert_eq!(with(narrower, &["a", "n"]).unwrap(), "/n: minimum is narrower");
    assert!(with(json!({"a": text}), &["a"]).is_some(), "a field less");
    let more = json!({"a": text, "n": {"type": "integer", "minimum": 0}, "z": text});
    assert_eq!(with(more, &["a", "n"]).unwrap(), "/z is a new field", "even one that may be absent");
    let other = json!({"a": {"type": "boolean"}, "n": {"type": "integer", "minimum": 0}});
    assert_eq!(with(other, &["a", "n"]).unwrap(), "/a: type is different");
    assert!(with(old["properties"].clone(), &["a"]).is_some(), "not required any more");
}

#[test]
fn a_choice_may_be_added_and_none_may_go() {
    let choices = |names: &[&str]| json!({"$defs": {"C": {"type": "string", "enum": names}}, "$ref": "#/$defs/C"});
    let spelled = json!({"oneOf": [{"type": "string", "const": "a"}, {"type": "string", "const": "b", "description": "x"}]});
    assert_eq!(hindrance(&choices(&["a", "b"]), &spelled), None);
    assert_eq!(hindrance(&choices(&["a"]), &spelled), None);
    let gone = hindrance(&spelled, &choices(&["a"])).unwrap();
    assert!(gone.contains("const is different"), "{gone}");
    let list = |names: &[&str]| json!({"type": "array", "items": {"type": "string", "enum": names}});
    assert_eq!(hindrance(&list(&["a", "b"]), &list(&["a", "b", "c"])), None);
    let gone = hindrance(&list(&["a", "b"]), &list(&["b", "c"])).unwrap();
    assert_eq!(gone, "/*: \"a\" is not taken any more");
    assert_eq!(hindrance(&spelled, &json!(true)), None);
    assert!(hindrance(&json!(true), &spelled).is_some());
}
