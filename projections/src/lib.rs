//! What is told from the log: rows for lists ([`definitions`], [`series`], [`runs`], [`ledger`], [`results`]), one run in full
//! ([`run_view`], [`story`], [`difference`]), and what was in force ([`in_force`]).
//!
//! Rows come from events alone and are moved by one consumer a projection; nothing is decided from them. The views of a
//! single run, and of what was in force, are pure functions of streams.

mod cells;
pub mod definitions;
pub mod difference;
mod fault;
pub mod generations;
pub mod in_force;
pub mod ledger;
mod logged;
mod page;
mod place;
mod projection;
pub mod results;
mod rows;
pub mod run_view;
pub mod runs;
mod seen;
mod sentences;
pub mod series;
pub mod story;
mod stream_rows;
mod table;

pub use difference::Placed;
pub use fault::{EventFault, ProjectionFault};
pub use generations::Generation;
pub use logged::{Deed, LoggedEvent};
pub use page::{DEFAULT_LIMIT, MOST, Page, PageRequest, ReadFault, page, token};
pub use place::Place;
pub use projection::{Folded, Folding, Memory, Projection};
pub use rows::Rows;
pub use seen::SeenEvent;
pub use table::Table;

use std::sync::Arc;

/// Every projection of this program.
pub fn all() -> Vec<Arc<dyn Projection>> {
    vec![
        Arc::new(definitions::Definitions),
        Arc::new(runs::Runs),
        Arc::new(ledger::Ledger),
        Arc::new(series::Series),
        Arc::new(results::Results),
    ]
}
