//! The engine of Leasehold.

pub mod embedded;
pub mod engine;
pub mod log;
