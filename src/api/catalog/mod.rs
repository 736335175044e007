//! `/admin/events/catalog`: what an author can reach for.

pub mod options;
pub mod read;
