//! The lease plane: values of the game, borrowed until a deadline that the game itself keeps.
//!
//! Restoring is compare-and-set: a value that is not what the run applied was moved by somebody on purpose, and stays. Whether a
//! restart restores is a property of the value. Of the configuration it does, and a hold of it lives in memory as the value does.
//! A spawner's dial or a season is part of the save: so is its hold, and a hold that ended since the save has a tombstone.

mod catalogue;
mod deadline;
mod ground;
mod kept;
mod plane;
mod probe;
mod rows;
mod sort;
mod target;

pub use catalogue::{CATALOGUE, Offered};
pub use deadline::Expiry;
pub use ground::Ground;
pub use kept::{KeptHold, Tombstones};
pub use plane::{Applied, LeasePlane, Order, Released};
pub use probe::probe;
pub use target::{Target, inert};

#[cfg(test)]
mod tests;
