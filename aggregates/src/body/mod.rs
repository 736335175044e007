//! Posted bodies: read strictly, with every fault told at once and where it is.
//!
//! [`parse()`] makes a value of bytes, or says where they stop making sense; [`Object`] then reads that value field by
//! field and gathers what is wrong with it.

mod fault;
mod number;
mod object;
mod parse;
mod rejected;
mod text;

pub use fault::{Fault, pointer};
pub use object::{Faults, Object};
pub use parse::{BadJson, MAX_BYTES, MAX_DEPTH, parse};
pub use rejected::Rejected;
pub use text::Text;

#[cfg(test)]
mod tests;
