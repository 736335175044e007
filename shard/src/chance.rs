//! The one place of the shard that draws a random number from outside its seed.

use rand::RngCore;

/// A boot id: 16 hexadecimal digits, new at each start of the process.
#[expect(clippy::disallowed_methods, reason = "minted once at start; nothing in the world depends on it")]
pub fn boot_id() -> String {
    let mut bytes = [0_u8; 8];
    rand::rng().fill_bytes(&mut bytes);
    hex::encode(bytes)
}
