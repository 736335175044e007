//! `/public/events`: what everybody may know. Neither drafts nor rehearsals, no health and nothing of how it is done.

mod asked;
pub mod calendar;
mod entry;
pub mod event;
pub mod feed;
pub mod list;
pub mod series;
mod vevent;
mod vtimezone;

pub use entry::PublicEntry;
pub use event::PublicEvent;
pub use series::PublicSeries;
