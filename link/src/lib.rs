//! The wire between an engine, its sidecar and a game server: protocol 7.
//!
//! [`wire`] is data and total functions only: it opens no socket, reads no clock and draws no random number, so that the sidecar,
//! a game server and a game module can share it. The specification in prose is `docs/wire.md`. [`disk`] is how the sidecar and
//! the reference game write down what they must not forget.

pub mod disk;
pub mod wire;
