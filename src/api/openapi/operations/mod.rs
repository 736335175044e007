//! Every operation.

mod definitions;
mod link;
mod machine;
mod occurrences;
mod public;
mod runs;
mod series;

use super::operation::Operation;

pub fn all() -> impl Iterator<Item = &'static Operation> {
    [machine::ALL, public::ALL, definitions::ALL, series::ALL, occurrences::ALL, runs::ALL, link::ALL].into_iter().flatten()
}
