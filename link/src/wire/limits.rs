//! The numbers of the wire. Each is a promise to the other side, so each is refused beyond, never clamped.

/// The protocol that this build speaks. Another one is refused at hello.
pub const PROTOCOL: u32 = 7;
/// Longest line in bytes, without its line feed.
pub const LINE_MAX_BYTES: usize = 256 * 1024;
/// How long a game remembers a key, in seconds, unless its hello says otherwise.
pub const KEY_MEMORY_SEC: u64 = 3600;
/// How many keys a game remembers at most, unless its hello says otherwise.
pub const KEY_CAP: usize = 4096;
/// Longest `idempotencyKey` in bytes. Engines send 40 lowercase hexadecimal digits.
pub const KEY_MAX_BYTES: usize = 64;
/// Longest `runId` in bytes.
pub const RUN_ID_MAX_BYTES: usize = 128;
/// Longest value of a correlation field in bytes.
pub const CORRELATION_MAX_BYTES: usize = 128;
/// Longest broadcast in characters.
pub const BROADCAST_MAX_CHARS: usize = 200;
/// Longest name of a created object in characters.
pub const NAME_MAX_CHARS: usize = 40;
/// Greatest hue.
pub const HUE_MAX: u16 = 3000;
/// Greatest radius in tiles of one placement.
pub const RADIUS_MAX: u16 = 20;
/// Radius in tiles where a placement names none.
pub const RADIUS_DEFAULT: u16 = 4;
/// How many living creatures one run may own, counting those it asks for.
pub const CREATURES_PER_RUN: usize = 30;
/// Most serials in one removal.
pub const SERIALS_MAX: usize = 1000;
/// Longest hold of a lease in milliseconds, unless a game sets a shorter ceiling: 24 hours.
pub const HOLD_MAX_MS: u64 = 24 * 3600 * 1000;
/// Longest text of a lease's value in bytes.
pub const VALUE_MAX_BYTES: usize = 64;
