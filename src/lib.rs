//! The engine of Leasehold.

pub mod engine;
pub mod log;
