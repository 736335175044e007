//! The bodies of commands, as an engine posts them and as a game reads them.
//!
//! A body holds no `kind` and no `reqId`: the route gives the first and the sidecar the second. Fields that a game does not know are
//! passed over. Numbers that count are integers; values of leases cross as text.

use super::Serial;
use serde::{Deserialize, Serialize};

/// Who asks, under which claim, for how long the order is good, and by which key it is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stamp {
    /// The run that the change belongs to; 1 to 128 bytes.
    pub run_id: String,
    /// The sender's claim: rises with each claim of the run. A lower one than the game has seen is refused.
    pub fence: u64,
    /// How long the order is good, in milliseconds from its receipt; each hop takes off what it held it.
    pub ttl_ms: u64,
    /// The same on every attempt of one intention; 40 lowercase hexadecimal digits from an engine, at most 64 bytes.
    pub idempotency_key: String,
}

/// The same fields where a command may go without them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OptionalStamp {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fence: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
}

impl From<Stamp> for OptionalStamp {
    fn from(stamp: Stamp) -> Self {
        Self {
            run_id: Some(stamp.run_id),
            fence: Some(stamp.fence),
            ttl_ms: Some(stamp.ttl_ms),
            idempotency_key: Some(stamp.idempotency_key),
        }
    }
}

/// `admin.broadcast`: one line of text to everybody online.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Broadcast {
    /// 1 to 200 characters, no control characters.
    pub text: String,
    /// Colour of the line, 0 to 3000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hue: Option<u16>,
    #[serde(flatten)]
    pub stamp: OptionalStamp,
}

/// `world.spawn`: creatures around a point, once. It is no spawner: nothing comes after them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Spawn {
    pub map: String,
    pub x: i32,
    pub y: i32,
    /// Tiles around the point, 0 to 20; 4 where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<u16>,
    /// A name of the game's allowlist.
    pub creature: String,
    /// At least 1; with what the run already has alive at most 30.
    pub count: u32,
    /// Shown instead of the creature's own name; at most 40 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Colour, 0 to 3000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hue: Option<u16>,
    /// Stronger than its kind: a boss variant, of which a run has at most 4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boss: Option<Boss>,
    #[serde(flatten)]
    pub stamp: Stamp,
}

/// By how much a boss variant is stronger than its kind, in percent of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Boss {
    /// 100 to 2000.
    pub hits: u32,
    /// 100 to 500.
    pub damage: u32,
}

/// `world.despawn`: takes away what the run owns, by serial, by the key that made it, or both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Despawn {
    /// At most 1000; may be empty where `forKey` is given.
    #[serde(default)]
    pub serials: Vec<Serial>,
    /// The `idempotencyKey` of the command that made the objects. Nothing there is a success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub for_key: Option<String>,
    #[serde(flatten)]
    pub stamp: Stamp,
}

/// `world.look`: which objects of this run are there, and whether it counts who takes part. It changes nothing and takes no key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LookAt {
    pub run_id: String,
    /// 1 to 1000; may be empty where the counting is asked for.
    #[serde(default)]
    pub serials: Vec<Serial>,
    /// Whether the answer is to say if a counting of the run goes on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub counting: bool,
}

/// `lease.list`: every value that may be borrowed, or the one of that key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListLeases {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// `lease.apply`: borrows a value. The duration counts; the instant is for display.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LeaseApply {
    /// A key of the catalogue.
    pub key: String,
    /// The value as text, judged as the lease's type.
    pub value: String,
    /// How long, in milliseconds; 1 to the lease's `maxHoldMs`.
    pub hold_ms: u64,
    /// When the engine believes that it ends, in milliseconds since 1970. Shown, never obeyed.
    pub until_ms: u64,
    #[serde(flatten)]
    pub stamp: Stamp,
}

/// `lease.release`: gives a value back if it still is what the run applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LeaseRelease {
    pub key: String,
    /// What the run applied, as text.
    pub applied: String,
    #[serde(flatten)]
    pub stamp: Stamp,
}

/// `run.close`: the run is over; nothing sent before may take effect after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CloseRun {
    pub run_id: String,
    /// Commands of the run with this fence or a lower one are refused from now on, but for undos.
    pub fence: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
}
