//! Values as text, judged and compared as what they say: `1200` and `1200.0` are one number.

pub use rust_decimal::Decimal;

use leasehold_link::wire::limits::VALUE_MAX_BYTES;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    Int,
    Bool,
    Text,
}

impl ValueType {
    /// The word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::Bool => "bool",
            Self::Text => "text",
        }
    }

    /// Whether a text is a value of the type.
    pub fn admits(self, text: &str) -> bool {
        match self {
            Self::Int => text.len() <= VALUE_MAX_BYTES && text.parse::<i64>().is_ok(),
            Self::Bool => matches!(text, "true" | "false"),
            Self::Text => text.len() <= 200 && !text.chars().any(char::is_control),
        }
    }
}

/// Reads a plain decimal number exactly: digits, at most one point, a leading minus. No exponent, no blank, nothing rounded.
pub fn exact(text: &str) -> Option<Decimal> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let framed = digits.bytes().next().is_some_and(|byte| byte.is_ascii_digit()) && !digits.ends_with('.');
    if text.len() > VALUE_MAX_BYTES || !plain || !framed {
        return None;
    }
    Decimal::from_str_exact(text).ok()
}

/// Reads a whole number, however it is written: `1200` or `1200.0`, not `1200.5`.
pub fn whole(text: &str) -> Option<Decimal> {
    exact(text).filter(|number| number.fract().is_zero()).map(|number| number.normalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_as_numbers() {
        assert_eq!(whole("1200"), whole("1200.0"));
        assert_eq!(whole("1200.000").unwrap().to_string(), "1200");
        assert_ne!(exact("1.0000001"), exact("1.0000002"));
        assert_eq!(whole("1200.5"), None);
    }

    #[test]
    fn what_is_no_plain_number_is_none() {
        for text in ["", " 1", "1 ", "1_000", "1e3", "NaN", "inf", "0x10", "1.2.3", ".", "5.", ".5", "--1", "+1", "१"] {
            assert_eq!(exact(text), None, "{text}");
        }
        assert_eq!(exact(&"9".repeat(60)), None, "too long to be exact is no number");
    }
}
