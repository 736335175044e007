//! Single occurrences: what people change of them, and what became of each.

mod account;
mod alter;

pub use account::{AccountFault, Accounted, Asked, Fate, LONGEST, Outcome, account};
pub use alter::{AlteredOccurrence, OccurrenceRefusal};
