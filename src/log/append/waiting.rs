//! A command on its way to the append task: what is to be written, and whom to tell what became of it.

use tokio::sync::oneshot;

use super::{Append, AppendError, Appended};

/// An append with its texts written out and taken from it, which its caller does: the append task has enough to do.
pub(super) struct Prepared {
    pub append: Append,
    /// The payloads of its events, in their order.
    pub payloads: Vec<String>,
    pub metadata: String,
    /// Bytes of all texts together.
    pub size: usize,
    pub events: u64,
}

impl Prepared {
    pub fn of(mut append: Append) -> Self {
        let events = append.writes.iter_mut().flat_map(|write| &mut write.events);
        let payloads: Vec<String> = events.map(|event| event.payload.take().to_string()).collect();
        let mut metadata = std::mem::take(&mut append.metadata);
        metadata.insert("command_id".to_owned(), append.command_id.to_string());
        let metadata = serde_json::json!(metadata).to_string();
        let size = payloads.iter().map(|payload| payload.len() + metadata.len()).sum();
        Self { events: payloads.len() as u64, append, payloads, metadata, size }
    }

    /// Whether the one statement of a batch carries all of it: events, staged items, and nothing else.
    pub fn is_plain(&self) -> bool {
        let Append { writes: _, requires: _, rows, stage: _, unstage: _, listen, unlisten, cursor, command_id: _, metadata: _ } =
            &self.append;
        rows.is_empty() && listen.is_empty() && unlisten.is_empty() && cursor.is_none()
    }
}

/// A command that waits for its answer.
pub(super) struct Waiting {
    pub command: Prepared,
    pub answer: oneshot::Sender<Result<Appended, AppendError>>,
}

impl Waiting {
    /// Tells the caller, if it still listens.
    pub fn tell(self, outcome: Result<Appended, AppendError>) {
        let _ = self.answer.send(outcome);
    }
}
