//! The whole way of a command through the game, without sockets: files are real, the clock is moved by hand.

mod bench;
mod gates;
mod hostile;
mod keys;
mod leases;
mod lines;
mod lives;
mod participation;
mod planes;
mod verbs;
