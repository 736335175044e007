//! What a game says, made fit to be kept: nobody promises that it is text.

/// The most characters of a game's words that are kept, and of one of its values.
const MOST: usize = 4_000;

/// The words without control characters (line ends and tabs stay), cut at 4,000 characters.
pub(super) fn legible(words: &str) -> String {
    let kept = words.chars().map(|c| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c });
    kept.take(MOST).collect()
}

/// Whether a text can be a value: no control characters, at most 4,000 characters.
pub(super) fn is_value(text: &str) -> bool {
    text.chars().count() <= MOST && !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_the_log_would_refuse_gets_through() {
        assert_eq!(legible("a\0b\nc"), "a\u{fffd}b\nc");
        assert_eq!(legible(&"x".repeat(5_000)).len(), 4_000);
        assert!(is_value("1200") && is_value("") && !is_value("12\u{0}00") && !is_value(&"1".repeat(4_001)));
    }
}
