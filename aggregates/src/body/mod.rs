//! Posted bodies: read strictly, with every fault told at once and where it is.

mod fault;

pub use fault::{Fault, pointer};
