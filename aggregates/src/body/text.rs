//! What a text of a posted body may be.

use serde_json::Value;

/// A rule for one text. Lengths count characters, not bytes.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    least: usize,
    most: usize,
    alphabet: Option<Alphabet>,
    lines: bool,
}

#[derive(Debug, Clone, Copy)]
struct Alphabet {
    allowed: fn(char) -> bool,
    told: &'static str,
}

impl Text {
    /// One line of `least` to `most` characters: no control character, and no space at either end.
    pub const fn line(least: usize, most: usize) -> Self {
        Self { least, most, alphabet: None, lines: false }
    }

    /// Text of any number of lines; of the control characters, line feed, carriage return and tab.
    pub const fn lines(most: usize) -> Self {
        Self { least: 0, most, alphabet: None, lines: true }
    }

    /// 1 to 64 of `a-z`, `0-9` and `-`.
    pub const fn slug() -> Self {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        Self { least: 1, most: 64, alphabet: Some(Alphabet { allowed, told: "a-z, 0-9 and -" }), lines: false }
    }

    /// 1 to 64 of `a-z`, `0-9`, `_` and `-`.
    pub const fn key() -> Self {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
        Self { least: 1, most: 64, alphabet: Some(Alphabet { allowed, told: "a-z, 0-9, _ and -" }), lines: false }
    }

    /// The text, or a code and a sentence that starts with `name`.
    pub fn check<'a>(&self, name: &str, value: &'a Value) -> Result<&'a str, (&'static str, String)> {
        let Some(text) = value.as_str() else {
            return Err(("wrong_type", format!("{name} must be text, not {}", kind_of(value))));
        };
        let length = text.chars().count();
        if length < self.least || length > self.most {
            let (least, most) = (self.least, self.most);
            return Err(("wrong_length", format!("{name} must have {least} to {most} characters, not {length}")));
        }
        let wanted = self.alphabet.filter(|alphabet| !text.chars().all(alphabet.allowed));
        if let Some(alphabet) = wanted {
            return Err(("wrong_characters", format!("{name} may hold {} only", alphabet.told)));
        }
        if let Some(odd) = text.chars().find(|c| c.is_control() && !(self.lines && matches!(c, '\n' | '\r' | '\t'))) {
            let code = u32::from(odd);
            return Err(("control_character", format!("{name} holds the control character U+{code:04X}")));
        }
        if !self.lines && text.trim() != text {
            return Err(("wrong_characters", format!("{name} must not start or end with a space")));
        }
        Ok(text)
    }
}

/// What a JSON value is, in words for a refusal.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a fraction",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
