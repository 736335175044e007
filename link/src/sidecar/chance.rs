//! The one place of the sidecar that draws a random number, and the one that reads the wall clock.

use rand::RngCore;

/// Eight hexadecimal digits that tell this process's correlation ids from those of the process before it.
#[expect(clippy::disallowed_methods, reason = "minted once at start; nothing is decided by it")]
pub fn nonce() -> String {
    let mut bytes = [0_u8; 4];
    rand::rng().fill_bytes(&mut bytes);
    hex::encode(bytes)
}

/// The wall clock in milliseconds since 1970: shown by `/health`, never decided upon.
#[expect(clippy::disallowed_methods, reason = "shown to people as `since`; nothing is decided by it")]
pub fn wall_ms() -> i64 {
    chrono::Utc::now().timestamp_millis()
}
