//! The lease plane: values of the configuration, borrowed until a deadline that the game itself keeps.
//!
//! Restoring is compare-and-set: a value that is not what the run applied was moved by somebody on purpose, and stays. Holds live in
//! memory, as does the configuration that they change: a restart restores the one and forgets the other.

mod catalogue;
mod deadline;
mod plane;

pub use deadline::Expiry;
pub use plane::{Applied, LeasePlane, Order, Released};

#[cfg(test)]
mod tests;
