//! Games that come by HTTP: they poll, because they cannot be called.

mod numbers;
mod session;
mod sessions;

pub use numbers::whole_numbers;
pub use session::{Answer, Poll, PollFailure, Session};
pub use sessions::Sessions;
