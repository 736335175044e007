//! What the engine asks and what a module answers. No shape of failure reads as success: a success is a value of its
//! own type, everything else is a [`Failure`].

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Audience, Mark};

/// One attempt at one step.
#[derive(Debug, Clone, PartialEq)]
pub struct Perform {
    pub action: String,
    pub run_id: String,
    pub step: String,
    /// 40 hex digits; the same on every attempt of this step.
    pub idempotency_key: String,
    pub scope: String,
    pub params: Map<String, Value>,
    /// The claim's place in the run's stream; a game refuses a lower one than it has seen.
    pub fence: u64,
    /// Milliseconds for which the command may still be executed.
    pub ttl_ms: u64,
    /// Who answers for it: an account id, or `runner`.
    pub actor: String,
    /// Validate and report, change nothing.
    pub verify: bool,
    /// From which place in the log it is sent; none where nothing is to change.
    pub mark: Option<Mark>,
    /// The most that it may tell anything to: set in a rehearsal, for an action that tells. Nobody else is told.
    pub ceiling: Option<Audience>,
}

/// The answer to [`Perform`].
#[derive(Debug, Clone, PartialEq)]
pub enum Performed {
    Done(Success),
    Failed(Failure),
}

/// It happened.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Success {
    pub resources: Vec<Resource>,
    pub participants: Vec<Participant>,
    pub then: Then,
    /// The game takes all of it away by itself so many milliseconds after it was made, 1 to 604,800,000; none where it keeps it.
    pub lasts_ms: Option<u64>,
    /// What the game said in words; kept beside the log, never in it.
    pub words: Option<String>,
    /// The game answered from memory: this key had been executed before.
    pub replayed: bool,
}

/// What follows a success.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Then {
    #[default]
    Continue,
    /// Finished, and what follows waits this many seconds (1 to 604,800).
    HoldFor(u64),
    /// Parked until a person confirms.
    AwaitHuman,
}

/// It did not happen, or nobody can say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{reason}")]
pub struct Failure {
    /// Asking again may help.
    pub retry: bool,
    /// The effect may have happened: no answer came, or the answer was lost.
    pub unknown: bool,
    /// Stable, `snake_case`.
    pub code: String,
    /// A sentence for people.
    pub reason: String,
}

impl Failure {
    /// Nothing happened, and asking again is no use.
    pub fn refused(code: &str, reason: impl Into<String>) -> Self {
        Self { retry: false, unknown: false, code: code.into(), reason: reason.into() }
    }

    /// Nothing happened; asking again may help.
    pub fn not_now(code: &str, reason: impl Into<String>) -> Self {
        Self { retry: true, unknown: false, code: code.into(), reason: reason.into() }
    }

    /// No definite answer: it may have happened.
    pub fn unknown(code: &str, reason: impl Into<String>) -> Self {
        Self { retry: true, unknown: true, code: code.into(), reason: reason.into() }
    }
}

/// Something this run now owns in the world. Both names are the module's own and opaque to the engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    pub kind: String,
    #[serde(rename = "ref")]
    pub reference: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member_key: Option<String>,
}

/// Somebody who took part, as the module reports it. Told again, it takes the place of what was told before under its key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Participant {
    /// Who, in the module's own words: opaque to the engine, the same in every run. 1 to 128 characters.
    pub member_key: String,
    /// A decimal as text, of at most four digits behind its point. The engine orders by it and never interprets it.
    pub score: String,
    /// When it first took part, by the game's clock, where the game knows.
    pub joined_at: Option<DateTime<Utc>>,
    /// What the score is made of, shown beside it: numbers by a name. No name of a person is in it.
    pub meta: Map<String, Value>,
}

/// Take back what one step made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revert {
    pub action: String,
    pub run_id: String,
    pub step: String,
    pub scope: String,
    /// Empty when the step's answer was lost: take back whatever `perform_key` made.
    pub resources: Vec<RevertTarget>,
    pub perform_key: String,
    /// The undo's own key; a new one for each round a person asks for.
    pub idempotency_key: String,
    /// From which place in the log it is sent.
    pub mark: Option<Mark>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevertTarget {
    pub kind: String,
    pub reference: String,
}

/// The answer to [`Revert`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reverted {
    /// One outcome for each resource asked about; empty for an undo by key alone.
    Done(Vec<Undone>),
    Failed(Failure),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undone {
    pub kind: String,
    pub reference: String,
    pub outcome: UndoneOutcome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UndoneOutcome {
    Removed,
    /// Nothing was there: that is a success.
    Gone,
    Refused(String),
}
