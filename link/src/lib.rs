//! The wire between an engine, its sidecar and a game server: protocol 7.
//!
//! This library is data and total functions only. It opens no socket, reads no clock and draws no random number, so that the
//! sidecar, a game server and a game module can share it. The specification in prose is `docs/wire.md`.

pub mod wire;
