//! The rules of Leasehold. Pure: no clock, no I/O, no SQL; time and registry facts come in with the command.
//!
//! Every aggregate's folder has the same files: `mod` (state and fold), `command`, `event`, `refusal`, `decide`, `tests`.

pub mod account;
pub mod allowance;
pub mod authorise;
pub mod body;
pub mod condition;
pub mod decide;
pub mod definition;
pub mod deployment;
pub mod event;
pub mod genesis;
pub mod keys;
pub mod ledger;
pub mod module;
pub mod note;
pub mod plan;
pub mod reservation;
pub mod run;
pub mod schedule;
pub mod series;
pub mod signal;
pub mod switchboard;
pub mod target;
pub mod zones;
