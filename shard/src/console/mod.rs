//! The staff console: one text command a line over a loopback connection, one JSON line back.

mod command;
mod serve;

pub use command::{Command, FaultCommand, parse};
pub use serve::serve;

#[cfg(test)]
mod tests;
