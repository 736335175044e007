//! The HTTP API: one file an operation, each in the same order (error, status, handler).
//!
//! [`mod@router`] lists every route with its gate, [`problem`] chooses every status, code and sentence of a refusal.

mod actions;
mod allowances;
mod alter;
mod cached;
mod calendar;
mod catalog;
mod definitions;
pub mod dialled;
mod etag;
mod freezes;
mod gate;
mod health;
mod identity;
mod in_force;
mod keyed;
mod log;
mod members;
mod metrics;
mod occurrences;
mod openapi;
mod page_gate;
mod paging;
mod player;
mod posted;
mod problem;
mod public;
mod query;
mod router;
mod runs;
mod series;
mod serve;
mod settings;
mod state;
mod stop;
mod traced;

pub use gate::{Caller, Gate};
pub use problem::Problem;
pub use router::{role_table, router, router_with_doors};
pub use serve::serve;
pub use state::{Api, Open};
