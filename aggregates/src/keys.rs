//! The keys under which a game remembers what it did, and the ids of what the engine stages.

use sha2::{Digest, Sha256};

/// The key of a step: the same on every attempt. 40 hex digits.
pub fn perform_key(run_id: &str, step: &str) -> String {
    key(&format!("{run_id}|{step}"))
}

/// The key of a step's undo: a new one for each round that a person asks for.
pub fn undo_key(run_id: &str, step: &str, round: u32) -> String {
    key(&format!("{run_id}|{step}|undo|{round}"))
}

fn key(of: &str) -> String {
    let mut text = hex::encode(Sha256::digest(of.as_bytes()));
    text.truncate(40);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_never_change() {
        assert_eq!(perform_key("r1", "raid"), "8f270b2643209e19ec0057bb3245691359097336");
        assert_eq!(undo_key("r1", "raid", 0).len(), 40);
        assert_ne!(undo_key("r1", "raid", 0), undo_key("r1", "raid", 1));
        assert_ne!(undo_key("r1", "raid", 0), perform_key("r1", "raid"));
    }
}
