//! Reading one object of a posted body, field by field. A fault never stops the reading: a stand-in takes the value's
//! place, and the faults are told together.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::text::{Text, kind_of};
use super::{Fault, pointer};

/// The faults found so far; one list for a whole body.
#[derive(Debug, Default)]
pub struct Faults(RefCell<Vec<Fault>>);

impl Faults {
    pub fn add(&self, pointer: impl Into<String>, code: &'static str, detail: impl Into<String>) {
        self.0.borrow_mut().push(Fault::new(pointer, code, detail));
    }

    /// How many there are so far.
    pub fn count(&self) -> usize {
        self.0.borrow().len()
    }

    /// In the order they were found.
    pub fn into_inner(self) -> Vec<Fault> {
        self.0.into_inner()
    }
}

/// One object being read. Call [`Object::finish`] last: it tells the fields that nothing asked for.
pub struct Object<'a> {
    fields: Option<&'a Map<String, Value>>,
    at: String,
    faults: &'a Faults,
    asked: RefCell<BTreeSet<&'static str>>,
}

impl<'a> Object<'a> {
    /// Anything but an object is a `wrong_type` here, and then none of its fields is missed.
    pub fn of(value: &'a Value, at: impl Into<String>, faults: &'a Faults) -> Self {
        let at = at.into();
        if !value.is_object() {
            faults.add(at.clone(), "wrong_type", format!("must be an object, not {}", kind_of(value)));
        }
        Self { fields: value.as_object(), at, faults, asked: RefCell::default() }
    }

    pub fn at(&self, name: &str) -> String {
        pointer(&self.at, name)
    }

    pub fn fault(&self, name: &str, code: &'static str, detail: impl Into<String>) {
        self.faults.add(self.at(name), code, detail);
    }

    /// The field, if it is there and not null.
    pub fn nullable(&self, name: &'static str) -> Option<&'a Value> {
        self.asked.borrow_mut().insert(name);
        self.fields?.get(name).filter(|value| !value.is_null())
    }

    /// The field, if it is there; null counts as there.
    pub fn optional(&self, name: &'static str) -> Option<&'a Value> {
        self.asked.borrow_mut().insert(name);
        self.fields?.get(name)
    }

    /// The field, or a `required`.
    pub fn required(&self, name: &'static str) -> Option<&'a Value> {
        let value = self.optional(name);
        if value.is_none() && self.fields.is_some() {
            self.fault(name, "required", format!("{name} is required"));
        }
        value
    }

    pub fn text(&self, name: &'static str, rule: Text) -> String {
        self.required(name).map(|value| self.text_of(name, value, rule)).unwrap_or_default()
    }

    /// Empty where it is not given.
    pub fn optional_text(&self, name: &'static str, rule: Text) -> String {
        self.optional(name).map(|value| self.text_of(name, value, rule)).unwrap_or_default()
    }

    pub fn nullable_text(&self, name: &'static str, rule: Text) -> Option<String> {
        self.nullable(name).map(|value| self.text_of(name, value, rule))
    }

    fn text_of(&self, name: &str, value: &Value, rule: Text) -> String {
        match rule.check(name, value) {
            Ok(text) => text.to_owned(),
            Err((code, detail)) => {
                self.fault(name, code, detail);
                value.as_str().unwrap_or_default().to_owned()
            }
        }
    }

    /// A whole number in the range, or `otherwise` where it is not given.
    pub fn int_or(&self, name: &'static str, range: RangeInclusive<i64>, otherwise: i64) -> i64 {
        self.optional(name).and_then(|value| self.int_of(name, value, &range)).unwrap_or(otherwise)
    }

    /// A whole number in the range; the lowest stands in for a faulty one.
    pub fn int(&self, name: &'static str, range: RangeInclusive<i64>) -> i64 {
        self.required(name).and_then(|value| self.int_of(name, value, &range)).unwrap_or(*range.start())
    }

    pub fn nullable_int(&self, name: &'static str, range: RangeInclusive<i64>) -> Option<i64> {
        self.nullable(name).and_then(|value| self.int_of(name, value, &range))
    }

    fn int_of(&self, name: &str, value: &Value, range: &RangeInclusive<i64>) -> Option<i64> {
        if !(value.is_i64() || value.is_u64()) {
            self.fault(name, "wrong_type", format!("{name} must be a whole number, not {}", kind_of(value)));
            return None;
        }
        let found = value.as_i64().filter(|number| range.contains(number));
        if found.is_none() {
            let (low, high) = (range.start(), range.end());
            self.fault(name, "out_of_range", format!("{name} must be {low} to {high}, not {value}"));
        }
        found
    }

    pub fn flag(&self, name: &'static str) -> bool {
        self.required(name).is_some_and(|value| self.flag_of(name, value))
    }

    pub fn flag_or(&self, name: &'static str, otherwise: bool) -> bool {
        self.optional(name).map_or(otherwise, |value| self.flag_of(name, value))
    }

    fn flag_of(&self, name: &str, value: &Value) -> bool {
        value.as_bool().unwrap_or_else(|| {
            self.fault(name, "wrong_type", format!("{name} must be true or false, not {}", kind_of(value)));
            false
        })
    }

    /// One of a closed set of spellings.
    pub fn choice<T>(&self, name: &'static str) -> Option<T>
    where
        T: strum::IntoEnumIterator + Copy + Into<&'static str>,
    {
        self.required(name).and_then(|value| self.choice_of(self.at(name), name, value))
    }

    pub fn nullable_choice<T>(&self, name: &'static str) -> Option<T>
    where
        T: strum::IntoEnumIterator + Copy + Into<&'static str>,
    {
        self.nullable(name).and_then(|value| self.choice_of(self.at(name), name, value))
    }

    /// As [`Object::choice`], for an item of a list: `at` is its pointer and `name` what it is called.
    pub fn choice_of<T>(&self, at: String, name: &str, value: &Value) -> Option<T>
    where
        T: strum::IntoEnumIterator + Copy + Into<&'static str>,
    {
        let Some(text) = value.as_str() else {
            self.faults.add(at, "wrong_type", format!("{name} must be text, not {}", kind_of(value)));
            return None;
        };
        let found = T::iter().find(|choice| Into::<&'static str>::into(*choice) == text);
        if found.is_none() {
            let choices: Vec<&str> = T::iter().map(Into::into).collect();
            self.faults.add(at, "not_a_choice", format!("{name} must be one of {}", choices.join(", ")));
        }
        found
    }

    /// The items of a list with their pointers; a missing list is empty.
    pub fn list(&self, name: &'static str, lengths: RangeInclusive<usize>) -> Vec<(String, &'a Value)> {
        let items = match self.optional(name) {
            None => &[],
            Some(Value::Array(items)) => items.as_slice(),
            Some(other) => {
                self.fault(name, "wrong_type", format!("{name} must be a list, not {}", kind_of(other)));
                return Vec::new();
            }
        };
        if !lengths.contains(&items.len()) && self.fields.is_some() {
            let (low, high) = (lengths.start(), lengths.end());
            let detail = format!("{name} must have {low} to {high} entries, not {}", items.len());
            self.fault(name, "wrong_length", detail);
        }
        let at = self.at(name);
        items.iter().enumerate().map(|(index, item)| (pointer(&at, index), item)).collect()
    }

    /// A free-form object, as the author wrote it; a missing one is empty.
    pub fn map(&self, name: &'static str) -> Map<String, Value> {
        match self.optional(name) {
            None => Map::new(),
            Some(Value::Object(fields)) => fields.clone(),
            Some(other) => {
                self.fault(name, "wrong_type", format!("{name} must be an object, not {}", kind_of(other)));
                Map::new()
            }
        }
    }

    pub fn faults(&self) -> &'a Faults {
        self.faults
    }

    /// Tells every field that was not asked for.
    pub fn finish(self) {
        let asked = self.asked.borrow();
        for name in self.fields.into_iter().flat_map(Map::keys).filter(|name| !asked.contains(name.as_str())) {
            self.fault(name, "unknown_field", format!("there is no field {name:?} here"));
        }
    }
}
