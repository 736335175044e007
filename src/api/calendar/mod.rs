//! `/admin/events/calendar`: what is when.

pub mod read;
mod window;

pub(super) use window::{Reader, Window};
