//! Comparing two JSON documents. Items of lists are known by what names them and not by their index, so that one more in
//! front of them changes nothing about them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::words::{self, Place};
use super::{Change, ChangeKind};

/// The fields that name an item of any of a run's lists; an item has some of them.
const NAMES: [&str; 8] = ["verb", "module", "scope", "kind", "ref", "dimension", "key", "step"];

/// Everything that differs, in the order of the later document's fields.
pub(super) fn changes(from: &Value, to: &Value) -> Vec<Change> {
    let mut found = Vec::new();
    compare(&mut found, &Place::default(), from, to);
    found
}

fn compare(found: &mut Vec<Change>, place: &Place, from: &Value, to: &Value) {
    match (from, to) {
        _ if from == to => {}
        (Value::Object(before), Value::Object(after)) => {
            for (name, value) in after {
                let place = place.field(name);
                match before.get(name) {
                    Some(was) => compare(found, &place, was, value),
                    None => found.push(change(&place, ChangeKind::Added, &Value::Null, value)),
                }
            }
            for (name, value) in before.iter().filter(|(name, _)| !after.contains_key(*name)) {
                found.push(change(&place.field(name), ChangeKind::Removed, value, &Value::Null));
            }
        }
        (Value::Array(before), Value::Array(after)) if named(before) && named(after) => {
            items(found, place, before, after);
        }
        _ => found.push(change(place, ChangeKind::Changed, from, to)),
    }
}

fn items(found: &mut Vec<Change>, place: &Place, before: &[Value], after: &[Value]) {
    let (mut earlier, mut gone) = (BTreeMap::new(), Vec::new());
    for (index, name) in names(before).into_iter().enumerate() {
        earlier.insert(name, index);
    }
    let later = names(after);
    for (index, name) in later.iter().enumerate() {
        let place = place.item(index, &name.0);
        match earlier.remove(name) {
            Some(was) => compare(found, &place, &before[was], &after[index]),
            None => found.push(change(&place, ChangeKind::Added, &Value::Null, &after[index])),
        }
    }
    gone.extend(earlier);
    gone.sort_by_key(|(_, index)| *index);
    for ((name, _), index) in gone {
        found.push(change(&place.item(index, &name), ChangeKind::Removed, &before[index], &Value::Null));
    }
}

/// The name of each item, and which of that name it is: a target may have been held more than once.
fn names(items: &[Value]) -> Vec<(String, usize)> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let nth = |item: &Value| {
        let name = name_of(item).unwrap_or_default();
        let nth = seen.entry(name.clone()).or_default();
        *nth += 1;
        (name, *nth)
    };
    items.iter().map(nth).collect()
}

fn named(items: &[Value]) -> bool {
    items.iter().all(|item| name_of(item).is_some())
}

fn name_of(item: &Value) -> Option<String> {
    let fields = item.as_object()?;
    // A gate has no key of its own: there is one for its phase.
    let phase = if fields.contains_key("key") { None } else { fields.get("phase") };
    let parts = NAMES.iter().filter_map(|name| fields.get(*name)).chain(phase);
    let parts: Vec<&str> = parts.filter_map(Value::as_str).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

fn change(place: &Place, kind: ChangeKind, from: &Value, to: &Value) -> Change {
    let text = words::sentence(place, kind, from, to);
    Change { pointer: place.pointer.clone(), kind, from: from.clone(), to: to.clone(), text }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(from: &Value, to: &Value) -> Vec<(String, ChangeKind)> {
        changes(from, to).into_iter().map(|change| (change.pointer, change.kind)).collect()
    }

    #[test]
    fn one_more_in_front_changes_nothing_about_the_others() {
        let (a, b) = (json!({"key": "a", "status": "done"}), json!({"key": "b", "status": "pending"}));
        let found = told(&json!({"steps": [b]}), &json!({"steps": [a, b]}));
        assert_eq!(found, [("/steps/0".to_owned(), ChangeKind::Added)]);
        let found = told(&json!({"steps": [a, b]}), &json!({"steps": [b]}));
        assert_eq!(found, [("/steps/0".to_owned(), ChangeKind::Removed)]);
    }

    #[test]
    fn a_target_that_was_held_twice_is_two() {
        let held = |status: &str| json!({"module": "demo", "ref": "a/b~", "step": "s", "status": status});
        let found = told(&json!([held("reverted")]), &json!([held("reverted"), held("pending")]));
        assert_eq!(found, [("/1".to_owned(), ChangeKind::Added)]);
        let found = told(&json!([held("reverted"), held("pending")]), &json!([held("reverted"), held("confirmed")]));
        assert_eq!(found, [("/1/status".to_owned(), ChangeKind::Changed)]);
    }

    #[test]
    fn what_has_no_names_is_compared_as_a_whole_and_pointers_are_escaped() {
        let found = told(&json!({"a/b~c": ["x"], "same": 1}), &json!({"a/b~c": ["x", "y"], "same": 1}));
        assert_eq!(found, [("/a~1b~0c".to_owned(), ChangeKind::Changed)]);
        assert_eq!(told(&json!({"a": null}), &json!({})), [("/a".to_owned(), ChangeKind::Removed)]);
        assert_eq!(told(&json!({"a": [1]}), &json!({"a": {"b": 1}})), [("/a".to_owned(), ChangeKind::Changed)]);
    }
}
