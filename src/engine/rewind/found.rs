//! What was found, in words.

use leasehold_aggregates::deployment::RewindCause;
use leasehold_module::Mark;
use serde::Serialize;

/// A scope whose way has seen a place that is not in this log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rewound {
    pub scope: String,
    pub cause: RewindCause,
    /// Where the last commands came from.
    pub seen: Mark,
    /// Where this log ends.
    pub head: Mark,
}

/// What an operator does about it, whatever the cause.
pub const WHAT_NOW: &str = "Nothing is appended and nothing is sent to any game. What was done there since is not in this log: \
    put the right database back, or look at the game and start with --accept-rewind to go on from here";

impl std::fmt::Display for Rewound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { scope, cause, seen, head } = self;
        match cause {
            RewindCause::Behind => write!(
                f,
                "the link of {scope} was sent commands from position {} of this log, which ends at position {}: its tail is missing",
                seen.position, head.position
            ),
            RewindCause::OtherHistory => write!(
                f,
                "the link of {scope} was sent commands from position {} of this log, where another event is now: the log was put \
                 back to an older copy and has gone on differently, up to position {}",
                seen.position, head.position
            ),
            RewindCause::OtherLog => write!(
                f,
                "the link of {scope} was sent its last commands from another log: position {} of {}, while this one is {}",
                seen.position, seen.log, head.log
            ),
        }
    }
}
