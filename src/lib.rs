//! The engine of Leasehold.

pub mod api;
pub mod cli;
pub mod console;
pub mod embedded;
pub mod engine;
pub mod log;
pub mod telling;
