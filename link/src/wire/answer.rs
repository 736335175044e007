//! The answers, read back into types.

use super::{Disposition, LEASE_DRIFTED, Serial};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Any answer: what every one of them carries, and the object itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    pub kind: String,
    /// The game's clock when the answer was first given, in milliseconds since 1970; 0 from the sidecar itself.
    pub t: i64,
    /// Whether this is the answer of an earlier attempt under the same key.
    pub replayed: bool,
    /// The name of a refusal.
    pub error: Option<String>,
    /// The sentence of a refusal.
    pub reason: Option<String>,
    /// The whole object.
    pub body: Map<String, Value>,
}

impl Reply {
    /// Reads an answer; `None` where it is no object with a text `kind`.
    pub fn read(value: Value) -> Option<Self> {
        let Value::Object(body) = value else { return None };
        let text = |field: &str| body.get(field).and_then(Value::as_str).map(str::to_owned);
        Some(Self {
            kind: text("kind")?,
            t: body.get("t").and_then(Value::as_i64).unwrap_or_default(),
            replayed: body.get("replayed").and_then(Value::as_bool).unwrap_or_default(),
            error: text("error"),
            reason: text("reason"),
            body,
        })
    }

    /// What the answer tells of the command.
    pub fn disposition(&self) -> Disposition {
        Disposition::of_answer(&self.kind, self.error.as_deref())
    }

    /// The fields of the answer as a type of this module.
    pub fn fields<T: for<'de> Deserialize<'de>>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_value(Value::Object(self.body.clone()))
    }

    /// What a release came to; an error where the answer is none of a release.
    pub fn released(&self) -> Result<LeaseReleased, serde_json::Error> {
        LeaseReleased::read(&self.kind, &self.body)
    }
}

/// `world.spawn.ok`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spawned {
    pub serials: Vec<Serial>,
}

/// `world.despawn.ok`: every serial asked for (or found by key) in exactly one of three lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Despawned {
    /// Were there and belonged to the run; they are gone now.
    pub removed: Vec<Serial>,
    /// Were not there any more.
    pub gone: Vec<Serial>,
    /// Are there and belong to nobody or to another run; they stay.
    pub refused: Vec<Serial>,
}

/// `world.look.ok`: every serial asked for in exactly one of three lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LookedAt {
    /// Are there and belong to the run.
    pub present: Vec<Serial>,
    /// Are not there, or belong to somebody else: the run has them no more.
    pub gone: Vec<Serial>,
    /// May be there: where they would be is not loaded, or the game cannot say.
    pub unknown: Vec<Serial>,
    /// Whether a counting of the run goes on; absent where it was not asked for, and of a game that does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counting: Option<bool>,
}

/// `run.ok`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunClosed {
    pub run_id: String,
    /// The highest fence closed so far.
    pub fence: u64,
}

/// `lease.ok` to an apply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LeaseApplied {
    /// What was there before: the baseline of record.
    pub baseline: String,
    pub applied: String,
    /// When the game will put it back by itself, by the game's clock, in milliseconds since 1970.
    pub until_ms: i64,
}

/// What a release came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeaseReleased {
    /// The baseline was written back.
    Restored { baseline: String, current: String },
    /// The game had put it back before; `reason` is `deadline`.
    AlreadyRestored { reason: String, current: String },
    /// The game has no hold of that run on record, as after a restart. Nothing was written.
    NotHeld { current: String },
    /// Somebody else changed it. Nothing was written, and the run no longer holds it.
    Drifted { current: String, baseline: String, applied: String },
}

impl LeaseReleased {
    fn read(kind: &str, body: &Map<String, Value>) -> Result<Self, serde_json::Error> {
        let text = |field: &'static str| {
            let value = body.get(field).and_then(Value::as_str).map(str::to_owned);
            value.ok_or_else(|| <serde_json::Error as serde::de::Error>::missing_field(field))
        };
        let flag = |field: &str, wanted: bool| body.get(field).and_then(Value::as_bool) == Some(wanted);
        let current = text("current")?;
        if kind == LEASE_DRIFTED {
            Ok(Self::Drifted { current, baseline: text("baseline")?, applied: text("applied")? })
        } else if flag("alreadyRestored", true) {
            Ok(Self::AlreadyRestored { reason: text("reason")?, current })
        } else if flag("held", false) {
            Ok(Self::NotHeld { current })
        } else if flag("restored", true) {
            Ok(Self::Restored { baseline: text("baseline")?, current })
        } else {
            Err(serde::de::Error::custom("the answer is none that a release has"))
        }
    }
}

/// Whom a borrowed value reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// Everybody, at once.
    Everyone,
    /// Only those who join while it is held.
    NewJoins,
}

/// `lease.list.ok`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Catalogue {
    pub leases: Vec<LeaseRow>,
}

/// One value that may be borrowed. All values are text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LeaseRow {
    pub key: String,
    /// `config`, `object` or `seasonal`; none where the game does not say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub plane: String,
    /// `int`, `float`, `bool`, `choice` of the words in `choices`, or another type of a manifest.
    #[serde(rename = "type")]
    pub value_type: String,
    pub current: String,
    #[serde(default)]
    pub default: String,
    /// Of a number; empty where there is no bound.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub min: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub max: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    pub max_hold_ms: u64,
    pub reaches: Reach,
    /// Whether a restart of the game puts it back by itself. Where it does not, the hold outlives the restart.
    #[serde(default = "yes")]
    pub restart_restores: bool,
    /// The hold on record; with `expired` it is past and waits for its release to be told so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<Held>,
}

const fn yes() -> bool {
    true
}

/// A hold on record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Held {
    pub run_id: String,
    pub baseline: String,
    pub applied: String,
    pub until_ms: i64,
    /// The deadline has passed.
    pub expired: bool,
    /// The deadline put the baseline back; false with `expired` where it found another value than the applied one.
    pub restored: bool,
}
