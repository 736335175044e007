//! Texts with `{name}` in them. A brace that is meant is written twice: `{{` and `}}`.

use serde_json::{Map, Value};

/// A text taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Name(String),
}

/// Why a text is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateFault {
    #[error("a {{ is never closed: write {{{{ for a brace that is meant")]
    Unclosed,
    #[error("a }} closes nothing: write }}}} for a brace that is meant")]
    Unopened,
    #[error("{{{0}}} names no parameter: a name starts with a letter and has at most 64 of a-z, A-Z, 0-9 and _")]
    BadName(String),
}

impl Template {
    pub fn parse(text: &str) -> Result<Self, TemplateFault> {
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            literal.push_str(&rest[..at]);
            let (brace, after) = rest[at..].split_at(1);
            if let Some(after) = after.strip_prefix(brace) {
                literal.push_str(brace);
                rest = after;
            } else if brace == "}" {
                return Err(TemplateFault::Unopened);
            } else {
                let (name, after) = after.split_once('}').ok_or(TemplateFault::Unclosed)?;
                if !is_name(name) {
                    return Err(TemplateFault::BadName(name.into()));
                }
                parts.push(Part::Text(std::mem::take(&mut literal)));
                parts.push(Part::Name(name.into()));
                rest = after;
            }
        }
        literal.push_str(rest);
        parts.push(Part::Text(literal));
        parts.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
        Ok(Self(parts))
    }

    /// The names in it, in order of appearance, repeats included.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Name(name) => Some(name.as_str()),
            Part::Text(_) => None,
        })
    }

    /// The text with each name's value in its place, or the first name that has none.
    pub fn render(&self, values: &Map<String, Value>) -> Result<String, String> {
        let mut out = String::new();
        for part in &self.0 {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Name(name) => match values.get(name).ok_or_else(|| name.clone())? {
                    Value::String(text) => out.push_str(text),
                    other => out.push_str(&other.to_string()),
                },
            }
        }
        Ok(out)
    }
}

/// Whether `name` can name a parameter.
pub(crate) fn is_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
