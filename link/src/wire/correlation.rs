//! Which answer belongs to which command.

use super::limits::CORRELATION_MAX_BYTES;
use serde_json::{Map, Value};

/// The fields that may correlate, in the order in which they are tried.
pub const FIELDS: [&str; 3] = ["reqId", "code", "id"];

/// The field by which a command's answer is found, and its value, which the answer repeats.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Correlation {
    pub field: &'static str,
    pub value: String,
}

impl Correlation {
    /// The first correlation field of an object, or `None` where none holds a text of 1 to 128 bytes.
    pub fn of(object: &Map<String, Value>) -> Option<Self> {
        let (field, value) = FIELDS.into_iter().find_map(|field| Some((field, object.get(field)?)))?;
        let value = value.as_str().filter(|text| (1..=CORRELATION_MAX_BYTES).contains(&text.len()))?;
        Some(Self { field, value: value.to_owned() })
    }

    /// The field of that name, as a static text.
    pub fn field_named(name: &str) -> Option<&'static str> {
        FIELDS.into_iter().find(|field| *field == name)
    }

    /// Writes itself into an answer.
    pub fn stamp(&self, object: &mut Map<String, Value>) {
        object.insert(self.field.to_owned(), self.value.clone().into());
    }
}
