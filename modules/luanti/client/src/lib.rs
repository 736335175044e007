//! Players of Luanti without a screen, for tests: they join over the real protocol, walk, talk, hit and carry things, and keep
//! what the server's own packets tell them. A second reader of everything that an event does to such a server.
//!
//! Written on protocol 41 (Luanti 5.6), and no more of it than these players need. There is a library for all of it
//! (`minetest-protocol`), which rests since 2023: it cannot say goodbye, and asks for every feature of `tokio`.

mod connection;
mod drive;
mod login;
mod object;
mod orders;
mod player;
mod seen;
mod wire;

pub use object::{Object, Point};
pub use player::{Player, Refused};
pub use seen::Seen;
