//! `signal/SOURCE/FINGERPRINT`: one firing of one trigger that somebody was listening for. Whoever reports it, and however
//! often: the stream's name follows from where it came from and what identifies it there, so it is recorded once.

mod command;
mod decide;
mod event;
mod refusal;

pub use command::SignalCommand;
pub use event::{Recorded, SignalEvent};
pub use refusal::SignalRefusal;

use serde::{Deserialize, Serialize};

/// State of one signal; the default is one that nobody has recorded.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Signal {
    pub recorded: Option<Recorded>,
}

/// The stream's name within its kind: `/` and `%` of either part are spelled out, so that two pairs have two names.
pub fn signal_id(source: &str, fingerprint: &str) -> String {
    let spelled = |part: &str| part.replace('%', "%25").replace('/', "%2F");
    format!("{}/{}", spelled(source), spelled(fingerprint))
}

#[cfg(test)]
mod tests;
