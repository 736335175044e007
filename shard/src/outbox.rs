//! Where lines for the link go. A link that does not take them loses its connection; what was not delivered is asked for again.

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// How many lines may wait for one connection: more than all reports that a new line is told at once.
pub const WAITING: usize = 2048;

/// One connection's outgoing lines.
#[derive(Clone, Debug)]
pub struct Outbox {
    lines: mpsc::Sender<String>,
    hang_up: CancellationToken,
}

impl Outbox {
    /// An outbox and what its connection reads from it.
    pub fn new() -> (Self, mpsc::Receiver<String>, CancellationToken) {
        let (lines, outgoing) = mpsc::channel(WAITING);
        let hang_up = CancellationToken::new();
        (Self { lines, hang_up: hang_up.clone() }, outgoing, hang_up)
    }

    /// Puts a line in the queue. Where the connection is gone, nothing happens: the key, if any, has the answer.
    pub fn send(&self, line: String) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.lines.try_send(line) {
            tracing::warn!("the link does not read: {WAITING} lines wait; hanging up");
            self.hang_up();
        }
    }

    /// Ends the connection.
    pub fn hang_up(&self) {
        self.hang_up.cancel();
    }
}
