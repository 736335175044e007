//! The staff console: one text command a line over a loopback connection, one JSON line back.

mod command;
mod parse;
mod serve;

pub use command::{Command, FaultCommand, Going};
pub use parse::parse;
pub use serve::serve;

#[cfg(test)]
mod tests;
