//! Whatever tells everybody, in a run that may not: the game has no way to tell its staff alone, so nothing is sent, and the
//! words go into the run's log, which staff read.

use leasehold_module::{Audience, Perform, Success};

use crate::params;

/// What is answered in place of telling; none where everybody may be told, or nothing is to be told.
pub fn instead(request: &Perform) -> Option<Success> {
    let ceiling = request.ceiling.filter(|ceiling| *ceiling != Audience::Everyone && !request.verify)?;
    let text = params::text(&request.params, "text").unwrap_or_default();
    let words = Some(format!("told to nobody in the game, as this run reaches {ceiling} at most: {text}"));
    Some(Success { words, ..Success::default() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_is_told_beyond_the_ceiling_and_everything_within() {
        let asked = |ceiling, verify| Perform {
            action: "uo.broadcast".into(),
            run_id: "run-1".into(),
            step: "hail".into(),
            idempotency_key: "0".repeat(40),
            scope: "main".into(),
            params: json!({"text": "hail"}).as_object().cloned().unwrap(),
            fence: 1,
            ttl_ms: 1_000,
            actor: "runner".into(),
            verify,
            mark: None,
            ceiling,
        };
        let told = instead(&asked(Some(Audience::Staff), false)).unwrap();
        assert_eq!(told.words.as_deref(), Some("told to nobody in the game, as this run reaches staff at most: hail"));
        for (ceiling, verify) in [(None, false), (Some(Audience::Everyone), false), (Some(Audience::Staff), true)] {
            assert_eq!(instead(&asked(ceiling, verify)), None);
        }
    }
}
