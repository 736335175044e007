//! The numbers of the wire. Each is a promise to the other side, so each is refused beyond, never clamped.

/// The protocol that this build speaks. Another one is refused at hello.
pub const PROTOCOL: u32 = 7;
/// Longest line in bytes, without its line feed.
pub const LINE_MAX_BYTES: usize = 256 * 1024;
/// Deepest nesting of a line that a game sends, the line itself being one: whoever hands it on wraps it a few times, and readers of
/// JSON end at 128.
pub const GAME_LINE_MAX_DEPTH: usize = 120;
/// Most bytes of one poll of a game that comes by HTTP.
pub const POLL_MAX_BYTES: usize = 4 * LINE_MAX_BYTES;
/// Most frames in it.
pub const POLL_FRAMES_MAX: usize = 1000;
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
/// How many of them may be boss variants.
pub const BOSSES_PER_RUN: usize = 4;
/// Strongest boss variant: hit points in percent of its kind's. The weakest is 100.
pub const BOSS_HITS_MAX: u32 = 2000;
/// Hardest boss variant: damage in percent of its kind's. The softest is 100.
pub const BOSS_DAMAGE_MAX: u32 = 500;
/// How many persons one run may have placed.
pub const NPCS_PER_RUN: usize = 5;
/// How many lines a person answers with, beside its greeting.
pub const NPC_LINES_MAX: usize = 5;
/// Longest line of a person or a crier in characters.
pub const LINE_MAX_CHARS: usize = 200;
/// Longest word that a person listens for in characters.
pub const KEYWORD_MAX_CHARS: usize = 40;
/// How many gates one run may have open.
pub const GATES_PER_RUN: usize = 4;
/// Longest time that a gate stands open in milliseconds: 4 hours.
pub const GATE_MAX_MS: u64 = 4 * 3600 * 1000;
/// How many decorative objects one run may have placed.
pub const DECORATIONS_PER_RUN: usize = 100;
/// Most characters that one grant reaches.
pub const GRANT_RECIPIENTS_MAX: usize = 200;
/// Most pieces of an item in one grant to one character.
pub const GRANT_AMOUNT_MAX: u32 = 100;
/// Least time between two saves in milliseconds: 300 seconds.
pub const SAVE_INTERVAL_MS: u64 = 300 * 1000;
/// How many notices the criers cry at once, and how many articles the board holds.
pub const NOTICES_MAX: usize = 50;
/// Longest name of a notice in bytes.
pub const NOTICE_ID_MAX_BYTES: usize = 64;
/// How many lines a crier cries in turn.
pub const CRIER_LINES_MAX: usize = 5;
/// Longest time that a crier cries in milliseconds: 24 hours.
pub const CRIER_MAX_MS: u64 = 24 * 3600 * 1000;
/// Longest title of an article in characters.
pub const TITLE_MAX_CHARS: usize = 80;
/// Longest text of an article in characters.
pub const ARTICLE_MAX_CHARS: usize = 4000;
/// Most serials in one removal.
pub const SERIALS_MAX: usize = 1000;
/// Longest hold of a lease in milliseconds, unless a game sets a shorter ceiling: 24 hours.
pub const HOLD_MAX_MS: u64 = 24 * 3600 * 1000;
/// How many runs a game counts who takes part in at once.
pub const PARTICIPATION_RUNS: usize = 8;
/// How many members one tally has.
pub const PARTICIPATION_MEMBERS: usize = 2000;
/// Widest area in tiles around its point.
pub const PARTICIPATION_RADIUS_MAX: u32 = 300;
/// Longest key of a value that may be borrowed, in bytes.
pub const LEASE_KEY_MAX_BYTES: usize = 128;
/// Longest text of a lease's value in bytes.
pub const VALUE_MAX_BYTES: usize = 64;
