//! The one place where identity and chance come from.

use sha2::{Digest, Sha256};
use uuid::{Uuid, uuid};

pub use crate::log::note_digest;

const COMMANDS: Uuid = uuid!("5c6cbd02-9d0e-57f4-8f0f-0c9f2a7e6b11");

/// A new random id: of a command, a definition, an account, a process.
#[expect(clippy::disallowed_methods, reason = "the one place that mints random ids")]
pub fn id() -> Uuid {
    Uuid::new_v4()
}

/// The id of a command that follows from a fact, so that a repeat is found in the log.
pub fn command_of(cause: &str) -> Uuid {
    Uuid::new_v5(&COMMANDS, cause.as_bytes())
}

/// The id of what a command makes: the same command makes the same thing.
pub fn made_by(command: Uuid, what: &str) -> Uuid {
    Uuid::new_v5(&command, what.as_bytes())
}

/// Thirty-two bytes that nobody can guess: salts, tokens.
#[expect(clippy::disallowed_methods, reason = "the one place that draws secrets")]
pub fn secret() -> [u8; 32] {
    rand::random()
}

/// A bearer token: 43 characters that begin with `lh_`, then hex.
pub fn token() -> String {
    format!("lh_{}", hex::encode(&secret()[..20]))
}

/// What is stored of a token.
pub fn token_digest(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}
