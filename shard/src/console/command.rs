//! What can be typed.

use crate::{
    faults::Moment,
    world::{Dial, Season, Status},
};
use leasehold_link::wire::{Kind, Serial};
use std::time::Duration;

/// One command of the console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Status,
    Audit {
        from: u64,
    },
    ConfigGet {
        key: String,
    },
    ConfigSet {
        key: String,
        value: String,
    },
    PlayerCreate {
        name: String,
        address: Option<String>,
    },
    PlayerList,
    Creatures {
        owned: bool,
        run: Option<String>,
    },
    /// Makes a character one of the staff, or no longer.
    PlayerStaff {
        name: String,
        staff: bool,
    },
    Objects {
        run: Option<String>,
    },
    ObjectDelete {
        serial: Serial,
    },
    /// In which region a point lies.
    Region {
        map: String,
        x: i32,
        y: i32,
    },
    /// What a person says to those words.
    Hear {
        serial: Serial,
        words: String,
    },
    CreatureDelete {
        serial: Serial,
    },
    /// Somebody slays it.
    CreatureKill {
        serial: Serial,
    },
    /// A champion's boss falls at a landmark.
    BossKill {
        landmark: String,
        boss: String,
    },
    /// A player comes into the region of a landmark.
    RegionEnter {
        landmark: String,
    },
    /// Somebody plays a character, or no longer.
    PlayerOnline {
        name: String,
        online: bool,
    },
    PlayerWalk {
        name: String,
        to: Going,
    },
    /// A player strikes a creature, with that strength.
    PlayerFight {
        name: String,
        target: Serial,
        strength: u32,
    },
    /// A player dies, or comes to life again.
    PlayerLife {
        name: String,
        alive: bool,
    },
    Altars,
    /// A champion rises at its altar, or is taken away.
    AltarTurn {
        serial: Serial,
        up: bool,
    },
    /// Every spawner with a name, or the one of that name or serial.
    Spawners {
        id: Option<String>,
    },
    SpawnerSet {
        id: String,
        dial: Dial,
        value: String,
    },
    SpawnerDelete {
        id: String,
    },
    Seasons,
    SeasonSet {
        season: Season,
        status: Status,
    },
    /// The tally of a run.
    Participation {
        run: String,
    },
    /// Loads a facet, or unloads it.
    Facet {
        map: String,
        loaded: bool,
    },
    Dump {
        baseline: bool,
    },
    Wipe,
    Clock {
        advance_ms: Option<u32>,
    },
    Save,
    Shutdown,
    Leases,
    Landmarks,
    Disconnect,
    Fault(FaultCommand),
}

/// Where a character walks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Going {
    To(String),
    Point(String, i32, i32),
}

/// Misbehaviour to switch on or off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultCommand {
    DropAck {
        kind: Kind,
        times: u32,
    },
    DelayAck {
        kind: Kind,
        by: Duration,
    },
    Crash {
        kind: Kind,
        moment: Moment,
    },
    Hold {
        kind: Kind,
    },
    /// Lets deferred commands run and defers no more.
    Release,
    Throw {
        kind: Kind,
    },
    Mute {
        kind: Kind,
    },
    /// Every tick takes that much longer.
    SlowTick {
        by: Duration,
    },
    /// Values of that key do nothing any more, or do again what they did.
    Inert {
        key: String,
        inert: bool,
    },
    /// Switches everything off. What is deferred stays so until released.
    Clear,
    List,
}
