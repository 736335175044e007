//! The game as a process: crashes for real, a link that the test plays, and once the real sidecar in between.

#![allow(clippy::unwrap_used, reason = "what the support of a test cannot do, fails the test")]

#[path = "../../../tests/support/bad_wire.rs"]
mod bad_wire;
mod crashes;
mod dials;
mod pair;
mod process;
mod proxied;
mod soak;
mod support;
#[path = "../../../link/tests/sidecar/transcript.rs"]
mod transcript;
mod transcripts;
mod walk;
