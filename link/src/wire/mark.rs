//! From which place of which log a command was sent, and what a sidecar remembers of it.
//!
//! An engine that comes back on an older copy of its log, or on another log, can be told so: the world has seen more than
//! that log knows of.

use serde::{Deserialize, Serialize};

/// The header that names the log, by the id of its opening.
pub const LOG_HEADER: &str = "leasehold-log";
/// The header with the position of the event that claimed the command.
pub const POSITION_HEADER: &str = "leasehold-position";
/// The header with the hash of that event: 64 lowercase hexadecimal digits.
pub const HASH_HEADER: &str = "leasehold-hash";

/// Longest id of a log in bytes.
pub const LOG_MAX_BYTES: usize = 64;
/// How many logs a sidecar remembers; the one that was served longest ago is forgotten first.
pub const LOGS_KEPT: usize = 16;

/// A place in a log. The hash tells two histories of one log apart that are equally long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    pub log: String,
    pub position: u64,
    pub hash: String,
}

impl Mark {
    /// What is wrong with it, naming the field; `None` where it is a mark.
    pub fn fault(&self) -> Option<String> {
        let visible = |byte: u8| byte.is_ascii_graphic();
        if self.log.is_empty() || self.log.len() > LOG_MAX_BYTES || !self.log.bytes().all(visible) {
            return Some(format!("log must be 1 to {LOG_MAX_BYTES} visible characters of ASCII"));
        }
        let hexadecimal = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if self.hash.len() != 64 || !self.hash.bytes().all(hexadecimal) {
            return Some("hash must be 64 lowercase hexadecimal digits".to_owned());
        }
        None
    }
}

/// The highest mark of each log, the log that was served last in front. The answer of `GET /engine`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    pub seen: Vec<Mark>,
}

impl Seen {
    /// The highest mark of the log that was served last.
    pub fn last(&self) -> Option<&Mark> {
        self.seen.first()
    }

    /// A command was sent from there. A lower mark of the log that is served anyway changes nothing.
    #[must_use]
    pub fn raised_to(&self, mark: &Mark) -> Self {
        let known = self.seen.iter().find(|known| known.log == mark.log);
        let highest = known.filter(|known| known.position > mark.position).unwrap_or(mark);
        self.served(highest)
    }

    /// History goes on from there, whatever was seen of this log before.
    #[must_use]
    pub fn served(&self, mark: &Mark) -> Self {
        let others = self.seen.iter().filter(|known| known.log != mark.log).cloned();
        Self { seen: std::iter::once(mark.clone()).chain(others).take(LOGS_KEPT).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(log: &str, position: u64, digit: char) -> Mark {
        Mark { log: log.to_owned(), position, hash: digit.to_string().repeat(64) }
    }

    #[test]
    fn the_highest_place_of_each_log_is_kept_and_the_last_log_is_in_front() {
        let seen = Seen::default().raised_to(&mark("a", 7, '1')).raised_to(&mark("b", 2, '2'));
        assert_eq!(seen.last(), Some(&mark("b", 2, '2')));
        let seen = seen.raised_to(&mark("a", 5, '3'));
        assert_eq!(seen.seen, [mark("a", 7, '1'), mark("b", 2, '2')], "a lower place does not count, the log does");
        assert_eq!(seen.raised_to(&mark("a", 6, '4')), seen);
        assert_eq!(seen.raised_to(&mark("a", 7, '5')).last(), Some(&mark("a", 7, '5')), "of two histories the later counts");
    }

    #[test]
    fn a_history_that_goes_on_elsewhere_takes_the_place_of_what_was_seen() {
        let seen = Seen::default().raised_to(&mark("a", 9, '1')).served(&mark("a", 4, '2'));
        assert_eq!(seen.seen, [mark("a", 4, '2')]);
    }

    #[test]
    fn the_log_served_longest_ago_is_forgotten_first() {
        let seen = (0..40).fold(Seen::default(), |seen, n| seen.raised_to(&mark(&format!("log-{n}"), 1, '1')));
        let logs: Vec<&str> = seen.seen.iter().map(|mark| mark.log.as_str()).collect();
        assert_eq!((logs.len(), logs[0], logs[LOGS_KEPT - 1]), (LOGS_KEPT, "log-39", "log-24"));
    }

    #[test]
    fn what_is_no_mark_is_named() {
        assert_eq!(mark("a", 0, 'f').fault(), None);
        let long = "x".repeat(LOG_MAX_BYTES + 1);
        for log in ["", "two words", "ü", "a\n", &long] {
            assert!(mark(log, 0, 'f').fault().is_some_and(|fault| fault.starts_with("log ")), "{log}");
        }
        for hash in ["", "ab", &"F".repeat(64), &"g".repeat(64), &"a".repeat(65)] {
            let mark = Mark { hash: hash.to_owned(), ..mark("a", 0, 'f') };
            assert!(mark.fault().is_some_and(|fault| fault.starts_with("hash ")), "{hash}");
        }
    }
}
