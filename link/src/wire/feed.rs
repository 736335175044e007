//! What a game reports by itself, as the sidecar keeps it and gives it out.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// `mob.killed`: a creature fell.
pub const MOB_KILLED: &str = "mob.killed";
/// `champ.boss.killed`: a champion's boss, or one of the sea, fell.
pub const BOSS_KILLED: &str = "champ.boss.killed";
/// `region.enter`: a player came into a region.
pub const REGION_ENTER: &str = "region.enter";

/// `player.death`: a player died.
pub const PLAYER_DEATH: &str = "player.death";
/// `champ.update`: an altar's champion rose, fell or went.
pub const CHAMP_UPDATE: &str = "champ.update";
/// `presence.online`: how many are connected, by facet and by region.
pub const PRESENCE: &str = "presence.online";
/// `world.save.started` and `world.save.finished`.
pub const SAVE_STARTED: &str = "world.save.started";
pub const SAVE_FINISHED: &str = "world.save.finished";
/// `lease.applied`: a value was borrowed.
pub const LEASE_APPLIED: &str = "lease.applied";
/// `lease.offer`: a value takes effect no longer and is not lent any more, or takes effect again.
pub const LEASE_OFFER: &str = "lease.offer";

/// The frame by which the sidecar tells a game up to which `seq` its reports are on disk.
pub const KEPT: &str = "link.kept";

/// Most bytes of frames in one answer; one report is given however long it is.
pub const ANSWER_MAX_BYTES: usize = 512 * 1024;
/// Most reports of one answer.
pub const LIMIT_MAX: u32 = 500;
/// The longest that an empty answer may be waited for, in milliseconds.
pub const WAIT_MS_MAX: u64 = 30_000;

/// A stretch of the feed: the answer to `GET /feed`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feed {
    /// Another id is another feed, whose numbers begin anew.
    pub feed: String,
    /// The number of the oldest report that is kept; one more than `newest` where none is.
    pub oldest: u64,
    /// The number of the newest.
    pub newest: u64,
    pub reports: Vec<Report>,
}

/// One frame of the game without correlation, as it came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Rises by one from 1.
    pub n: u64,
    pub frame: Map<String, Value>,
}
