//! The rules of Leasehold. Pure: no clock, no I/O, no SQL; time and registry facts come in with the command.
//!
//! Every aggregate's folder has the same files: `mod` (state and fold), `command`, `event`, `refusal`, `decide`, `tests`.

pub mod account;
pub mod body;
pub mod decide;
pub mod event;
pub mod plan;
pub mod reservation;
pub mod schedule;
pub mod switchboard;
pub mod zones;
