//! `/admin/events/calendar`: what is when.

pub mod read;
mod window;
