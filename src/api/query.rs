//! Query parameters, read as strictly as bodies. A fault's pointer is the parameter's name behind a `?`.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use chrono::{DateTime, Datelike, Utc};
use leasehold_aggregates::body::Fault;
use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::paging::MinPosition;
use super::{Api, Problem};
use crate::engine::stories::Until;

/// The parameters of one request. Call [`Query::finish`] last: it tells what nothing asked for.
pub struct Query {
    given: BTreeMap<String, String>,
    faults: Vec<Fault>,
}

impl FromRequestParts<Api> for Query {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _api: &Api) -> Result<Self, Problem> {
        Ok(Self::of(parts.uri.query().unwrap_or_default()))
    }
}

impl Query {
    fn of(text: &str) -> Self {
        let mut query = Self { given: BTreeMap::new(), faults: Vec::new() };
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match (decode(name), decode(value)) {
                (Some(name), Some(value)) => {
                    if query.given.insert(name.clone(), value).is_some() {
                        query.fault(&name, "not_unique", "is given twice");
                    }
                }
                _ => query.fault(&shown(name), "wrong_characters", "is no text in UTF-8 without control characters"),
            }
        }
        query
    }

    /// Whether the parameter is given, whatever it says.
    pub fn given(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// What the parameter says, without taking it.
    pub fn peek(&self, name: &str) -> Option<&str> {
        self.given.get(name).map(String::as_str)
    }

    /// The parameter, if it is given.
    pub fn text(&mut self, name: &str, most: usize) -> Option<String> {
        let value = self.given.remove(name)?;
        let length = value.chars().count();
        if length > most {
            self.fault(name, "wrong_length", &format!("must have at most {most} characters, not {length}"));
            return None;
        }
        Some(value)
    }

    /// A whole number in the range, if it is given.
    pub fn number(&mut self, name: &str, range: RangeInclusive<u64>) -> Option<u64> {
        let value = self.given.remove(name)?;
        let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
        let number = value.parse::<u64>().ok().filter(|number| digits && range.contains(number));
        if number.is_none() {
            let code = if digits { "out_of_range" } else { "wrong_type" };
            self.fault(name, code, &format!("must be a whole number of {} to {}", range.start(), range.end()));
        }
        number
    }

    /// `minPosition`, which every read takes: a position that the answer must be told from.
    pub fn min_position(&mut self) -> MinPosition {
        MinPosition(self.number("minPosition", 0..=i64::MAX.unsigned_abs()))
    }

    /// One or several of a closed set, separated by commas; none where it is not given.
    pub fn choices<T: DeserializeOwned>(&mut self, name: &str) -> Vec<T> {
        let Some(value) = self.given.remove(name) else { return Vec::new() };
        let read = |word: &str| serde_json::from_value(Value::String(word.to_owned())).ok();
        let words: Option<Vec<T>> = value.split(',').map(read).collect();
        words.unwrap_or_else(|| {
            self.fault(name, "not_a_choice", "holds a word that is no choice here");
            Vec::new()
        })
    }

    /// One of a closed set, if it is given.
    pub fn choice<T: DeserializeOwned>(&mut self, name: &str) -> Option<T> {
        let value = self.given.remove(name)?;
        let chosen = serde_json::from_value(Value::String(value)).ok();
        if chosen.is_none() {
            self.fault(name, "not_a_choice", "is no choice here");
        }
        chosen
    }

    /// An instant with its offset, if it is given.
    pub fn instant(&mut self, name: &str) -> Option<DateTime<Utc>> {
        let value = self.given.remove(name)?;
        let at = DateTime::parse_from_rfc3339(&value).ok().map(|at| at.to_utc());
        let at = at.filter(|at| (1_970..=9_999).contains(&at.year()));
        if at.is_none() {
            self.fault(name, "wrong_value", "must be an instant such as 2027-03-28T18:00:00Z");
        }
        at
    }

    /// A place in the log, a position or an instant with its offset, if it is given.
    pub fn place(&mut self, name: &str) -> Option<Until> {
        let value = self.text(name, 64)?;
        let place = value.parse();
        if let Err(fault) = &place {
            self.fault(name, "wrong_value", &format!("is no place in the log: {fault}"));
        }
        place.ok()
    }

    /// Whether something was found wrong with the parameter.
    pub fn has_fault(&self, name: &str) -> bool {
        self.faults.iter().any(|fault| fault.pointer == format!("?{name}"))
    }

    pub fn fault(&mut self, name: &str, code: &'static str, detail: &str) {
        self.faults.push(Fault::new(format!("?{name}"), code, format!("{name} {detail}")));
    }

    pub fn finish(mut self) -> Result<(), Problem> {
        for name in std::mem::take(&mut self.given).into_keys() {
            self.fault(&shown(&name), "unknown_field", "is no parameter here");
        }
        Problem::of_faults(self.faults)
    }
}

fn decode(text: &str) -> Option<String> {
    let spaced = text.replace('+', " ");
    let decoded = percent_decode_str(&spaced).decode_utf8().ok()?.into_owned();
    (!decoded.chars().any(char::is_control)).then_some(decoded)
}

fn shown(name: &str) -> String {
    name.chars().take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(query: Query) -> Vec<(String, &'static str)> {
        query.faults.into_iter().map(|fault| (fault.pointer, fault.code)).collect()
    }

    #[test]
    fn what_is_given_is_decoded_and_bounded() {
        let mut query = Query::of("q=gro%C3%9Fe+Lampe&limit=20&after=0");
        assert_eq!(query.text("q", 200).as_deref(), Some("große Lampe"));
        assert_eq!(query.number("limit", 1..=500), Some(20));
        assert_eq!(query.number("after", 0..=u64::MAX), Some(0));
        assert_eq!(query.number("gone", 1..=5), None);
        assert!(query.finish().is_ok());
    }

    #[test]
    fn what_is_wrong_is_told_with_its_name() {
        let mut query = Query::of("limit=501&after=-1&q=abc&q=d&n=%00&%ff=1&m=%ff&p=%zz&big=99999999999999999999");
        for (name, range) in [("limit", 1..=500), ("after", 0..=9), ("big", 0..=u64::MAX)] {
            assert_eq!(query.number(name, range), None);
        }
        assert_eq!(query.text("p", 9).as_deref(), Some("%zz"), "what is no escape is what it is");
        assert_eq!(query.text("q", 2).as_deref(), Some("d"));
        let found = codes(query);
        let expected = [
            ("?q", "not_unique"),
            ("?n", "wrong_characters"),
            ("?%ff", "wrong_characters"),
            ("?m", "wrong_characters"),
            ("?limit", "out_of_range"),
            ("?after", "wrong_type"),
            ("?big", "out_of_range"),
        ];
        assert_eq!(found, expected.map(|(pointer, code)| (pointer.to_owned(), code)));
    }
}
