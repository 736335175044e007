//! The log, attacked and used: what the schema promises, whoever writes.

#[path = "../support/mod.rs"]
mod support;

mod append;
mod bench;
