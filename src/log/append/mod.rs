//! The one way to write: everything that a command causes, in one transaction, or none of it.

mod answers;
mod check;
mod columns;
mod error;
mod flush;
mod found;
mod known;
mod locked;
mod look;
mod optimist;
mod plan;
mod session;
mod statement;
mod task;
mod told;
mod trouble;
mod waiting;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use uuid::Uuid;

pub use error::AppendError;
pub(super) use session::Sessions;
pub(super) use task::Appends;

use super::Log;
use super::cursor::CursorMove;
use super::listeners::Listener;
use super::rows::RowWrite;
use super::staged::Staged;
use super::stream::{Head, StreamEnd, StreamId, StreamWrite};

/// All that one command writes. Either the whole of it commits, or nothing does and the refusal says why.
///
/// Fields are public; fill what is needed and leave the rest at its default:
///
/// ```
/// use leasehold::log::{Append, NewEvent, StreamId, StreamWrite};
/// use uuid::Uuid;
///
/// let append = Append {
///     writes: vec![StreamWrite {
///         stream: StreamId::new("slug", "harvest-party"),
///         expected: 0,
///         events: vec![NewEvent {
///             event_type: "slug_taken".into(),
///             event_version: "1".into(),
///             payload: serde_json::json!({"type": "slug_taken"}),
///         }],
///     }],
///     ..Append::of(Uuid::from_u128(7))
/// };
/// assert_eq!(append.writes.len(), 1);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Append {
    /// Events, stream by stream. A stream appears once at most.
    pub writes: Vec<StreamWrite>,
    /// Every other stream that the decision read, with the sequence it saw last (0: it did not exist).
    pub requires: Vec<(StreamId, u64)>,
    /// Rows beside the log that stand or fall with the events.
    pub rows: Vec<RowWrite>,
    /// Items that fall due later.
    pub stage: Vec<Staged>,
    /// Items that this append carries out. One that is not there any more refuses the whole.
    pub unstage: Vec<Uuid>,
    /// Subscriptions to add.
    pub listen: Vec<Listener>,
    /// Streams whose subscriptions all end. They end before `listen` adds.
    pub unlisten: Vec<StreamId>,
    /// The move of one consumer's cursor.
    pub cursor: Option<CursorMove>,
    /// Identity of the command: the same id never writes twice. Nil is refused.
    pub command_id: Uuid,
    /// Stored with each event of this append, together with `command_id`.
    pub metadata: BTreeMap<String, String>,
}

impl Append {
    /// An append of this command that writes nothing yet.
    pub fn of(command_id: Uuid) -> Self {
        Self { command_id, ..Self::default() }
    }
}

/// Where an append's events came to lie. An append without events has the head's position in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    pub first: u64,
    pub last: u64,
}

impl Log {
    /// Writes the whole of `append`, or nothing.
    ///
    /// A command that committed before is answered with [`AppendError::AlreadyDone`] and the positions it made then. Commands
    /// that wait at the same time commit together, and are refused each by itself. Whoever drops the future leaves open whether
    /// the command is carried out; it is done as a whole or not at all, and sending it again tells.
    pub async fn append(&self, append: Append) -> Result<Appended, AppendError> {
        let sent = told::Sent::now(&append);
        let outcome = match check::well_formed(&append) {
            _ if self.held_back.load(Ordering::SeqCst) => Err(AppendError::HeldBack),
            Ok(()) => self.appends.carry(append).await,
            Err(malformed) => Err(malformed),
        };
        sent.tell(&outcome);
        outcome
    }

    /// Where the stream ends, as far as this process knows without asking; none if it does not. Others may have written since.
    pub fn stream_end(&self, stream: &StreamId) -> Option<StreamEnd> {
        let mut known = self.appends.known();
        known.end(stream).map(|sequence| StreamEnd { era: known.era, sequence })
    }

    /// The newest event of this process's last commit, which is on disk with all before it; none before the first.
    pub fn settled(&self) -> Option<Head> {
        self.appends.known().settled.clone()
    }

    /// The era of [`Log::stream_end`]: a new one begins when the log turns out not to be the one that was known.
    pub fn era(&self) -> u64 {
        self.appends.known().era
    }
}
