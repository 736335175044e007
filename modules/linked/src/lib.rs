//! Games that need no Rust: a manifest that a game has sent over the link, made into a module.
//!
//! The module knows no more of its game than the manifest says. Every action goes over the wire as `act.perform` with its id and
//! parameters; what was made comes back by kind and reference, and is taken back by them or by the key that made it.

mod act;
mod choices;
mod leases;
mod linked;
mod offers;
mod reports;
mod things;

pub use linked::Linked;
pub use offers::LinkedGames;
