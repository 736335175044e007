//! From bytes to a JSON value that means exactly what was posted.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::number::{exact, number_texts};
use super::pointer;

/// Most bytes of a posted body, unless a route says otherwise.
pub const MAX_BYTES: usize = 256 * 1024;
/// Most lists and objects inside each other.
pub const MAX_DEPTH: usize = 32;

/// Why bytes are no usable JSON. The message names the place; nothing of the body is repeated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason} (line {line}, column {column}, {})", place(.pointer))]
pub struct BadJson {
    /// From 1; 0 where the fault has no place, as with a body that is too large.
    pub line: usize,
    /// In bytes, from 1; 0 likewise.
    pub column: usize,
    /// JSON pointer of the nearest value; empty for the body itself.
    pub pointer: String,
    pub reason: String,
    /// Only the size is at fault, and nothing was looked at.
    pub too_large: bool,
}

fn place(pointer: &str) -> String {
    if pointer.is_empty() { "in the body itself".to_owned() } else { format!("at {pointer}") }
}

/// Reads one JSON value of at most `most` bytes.
///
/// Refused: U+0000 in a text or a key, lone surrogates, a key given twice, more than [`MAX_DEPTH`] levels, anything
/// after the value, and a number that would be rounded. Whole numbers of 64 bits are kept exactly.
pub fn parse(bytes: &[u8], most: usize) -> Result<Value, BadJson> {
    if bytes.len() > most {
        let reason = format!("the body has {} bytes, and at most {most} are read", bytes.len());
        return Err(BadJson { line: 0, column: 0, pointer: String::new(), reason, too_large: true });
    }
    let path = RefCell::new(Vec::new());
    let numbers = RefCell::new(number_texts(bytes).into_iter());
    let seed = Seed { path: &path, numbers: &numbers, depth: 0 };
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let read = seed.deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
    read.map_err(|error| bad(&error, &path.into_inner()))
}

fn bad(error: &serde_json::Error, path: &[String]) -> BadJson {
    let text = error.to_string();
    let reason = text.split(" at line ").next().unwrap_or(&text).to_owned();
    let reason = if error.is_eof() { format!("the body ends too early: {reason}") } else { reason };
    let pointer = path.iter().fold(String::new(), |base, token| pointer(&base, token));
    BadJson { line: error.line(), column: error.column(), pointer, reason, too_large: false }
}

/// Reads one value. The path is left standing where reading failed.
#[derive(Clone, Copy)]
struct Seed<'a, 'n> {
    path: &'a RefCell<Vec<String>>,
    numbers: &'a RefCell<std::vec::IntoIter<&'n str>>,
    depth: usize,
}

impl Seed<'_, '_> {
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth == MAX_DEPTH {
            return Err(E::custom(format!("lists and objects are nested more than {MAX_DEPTH} deep")));
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }

    fn enter(self, token: String) {
        self.path.borrow_mut().push(token);
    }

    fn leave(self) {
        self.path.borrow_mut().pop();
    }

    fn number_text(self) -> String {
        self.numbers.borrow_mut().next().unwrap_or_default().to_owned()
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_, '_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        self.number_text();
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        self.number_text();
        Ok(number.into())
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Value, E> {
        let text = self.number_text();
        if !exact(&text, number) {
            return Err(E::custom("this number has more digits than can be kept exactly: write it as text"));
        }
        Number::from_f64(number).map(Value::Number).ok_or_else(|| E::custom("this number is out of range"))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Value, E> {
        no_nul(text)?;
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut list = Vec::new();
        loop {
            self.enter(list.len().to_string());
            match items.next_element_seed(inner)? {
                Some(value) => list.push(value),
                None => break,
            }
            self.leave();
        }
        self.leave();
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut object = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            no_nul(&key)?;
            self.enter(key.clone());
            if object.contains_key(&key) {
                return Err(A::Error::custom("this key is given twice"));
            }
            object.insert(key, fields.next_value_seed(inner)?);
            self.leave();
        }
        Ok(Value::Object(object))
    }
}

fn no_nul<E: serde::de::Error>(text: &str) -> Result<(), E> {
    if text.contains('\0') { Err(E::custom("U+0000 is not allowed in text")) } else { Ok(()) }
}
