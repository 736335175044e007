//! The engine proper: what runs events.

pub mod core;
pub mod registry;
