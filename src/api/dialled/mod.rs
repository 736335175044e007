//! Links that dial in: for hosts that open no port. Such a link asks here, by a long poll with its own token, what the engine
//! wants of it, and answers; to the engine's modules it has an address like every other, on loopback.

mod call;
mod door;
mod listener;
mod routes;
mod session;
#[cfg(test)]
mod tests;

pub use door::{Door, Doors};
pub use listener::{DIALS_IN, open};
pub use routes::{PATHS, router};
