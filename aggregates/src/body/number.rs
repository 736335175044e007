//! Whether a number survives being read.

/// The texts of all numbers outside strings, in order. Exact for well-formed JSON; a parser stops before it matters
/// for anything else.
pub(super) fn number_texts(bytes: &[u8]) -> Vec<&str> {
    let mut texts = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = end_of_string(bytes, at + 1),
            b'-' | b'0'..=b'9' => {
                let length = bytes[at..].iter().take_while(|b| b.is_ascii_digit() || b"+-.eE".contains(b)).count();
                texts.extend(std::str::from_utf8(&bytes[at..at + length]));
                at += length;
            }
            _ => at += 1,
        }
    }
    texts
}

fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// Whether `number` is the very decimal that `text` spells, judged by the number's own shortest text.
pub(super) fn exact(text: &str, number: f64) -> bool {
    number.is_finite() && decimal(text).is_some_and(|spelled| decimal(&format!("{number:e}")) == Some(spelled))
}

/// Sign, digits without zeros at either end, and the power of ten of the last digit.
fn decimal(text: &str) -> Option<(bool, String, i64)> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    let dropped = digits.len() - significant.len();
    let power = exponent.parse::<i64>().ok()? - i64::try_from(fraction.len()).ok()? + i64::try_from(dropped).ok()?;
    let significant = significant.trim_start_matches('0');
    let power = if significant.is_empty() { 0 } else { power };
    Some((negative, significant.to_owned(), power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_order_and_not_in_strings() {
        let found = number_texts(br#"{"a1":[1,-2.5e+3],"b\"2":"3 \\","c":4}"#);
        assert_eq!(found, ["1", "-2.5e+3", "4"]);
    }

    #[test]
    fn only_what_would_be_rounded_is_inexact() {
        for fine in ["0.1", "1.10", "100e-2", "1e2", "0.0", "-0.5", "12345.6789", "1.0000001", "5e-324", "1e22"] {
            assert!(exact(fine, fine.parse().unwrap()), "{fine}");
        }
        for rounded in ["9007199254740993.0", "0.1000000000000000055", "123456789012345678901234567891", "1e-400"] {
            assert!(!exact(rounded, rounded.parse().unwrap()), "{rounded}");
        }
    }
}
