//! A manifest as a module, over a real sidecar and a game that speaks the wire.

#![allow(clippy::unwrap_used, reason = "a test that finds what it did not expect ends there")]

#[path = "../lanterns/mod.rs"]
mod lanterns;
mod link;

mod answers;
mod kit;
mod offered;
