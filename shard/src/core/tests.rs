//! The whole way of a command through the game, without sockets: files are real, the clock is moved by hand.

mod bench;
#[path = "../../../link/tests/fuzz/mod.rs"]
mod fuzz;
mod gates;
mod hostile;
mod keys;
mod leases;
mod lines;
mod lines_as_nobody_sends;
mod lives;
mod participation;
mod planes;
mod together;
mod verbs;
