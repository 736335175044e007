//! Signals: what happens in games, and to runs, that a gate or a trigger file waits for.
//!
//! What a game reports becomes a stream of its own, once, if somebody listens ([`ingest`]); what happens to runs lies in the
//! log already. Both are *heard* ([`Heard`]) by whoever follows the log: the gatekeeper counts them at gates, and trigger files
//! start definitions by them.

mod feed;
pub mod heard;
mod ingest;
pub mod own;

pub use heard::Heard;
pub(in crate::engine) use ingest::FEED;
pub use own::Own;
