//! What may be asked of a signal.

use super::event::Recorded;

#[derive(Debug, Clone, PartialEq)]
pub enum SignalCommand {
    /// It was reported, and somebody listens for it.
    Record { signal: Recorded },
}
