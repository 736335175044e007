//! Who takes part: the commands and their answers.

use super::{Serial, Stamp};
use serde::{Deserialize, Serialize};

/// `participation.open`: counts who is in an area, and what falls by their hand, until it is closed or the time is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenParticipation {
    pub map: String,
    pub x: i32,
    pub y: i32,
    /// Tiles around the point, 1 to 300.
    pub radius: u32,
    /// How long, in milliseconds; the game ends it by itself.
    pub hold_ms: u64,
    #[serde(flatten)]
    pub stamp: Stamp,
}

/// `participation.ok` to an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ParticipationOpened {
    pub run_id: String,
    /// When the game ends it, by the game's clock, in milliseconds since 1970.
    pub until_ms: i64,
}

/// `participation.snapshot` and `participation.close` carry nothing but their stamp.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfRun {
    #[serde(flatten)]
    pub stamp: Stamp,
}

/// `participation.ok` to a closing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ParticipationClosed {
    pub run_id: String,
    /// When the counting ended; absent where nothing is counted for that run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_ms: Option<i64>,
    pub members: usize,
}

/// `participation.snapshot.ok`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    pub run_id: String,
    /// Up to when it is counted, by the game's clock, in milliseconds since 1970.
    pub at_ms: i64,
    /// Whether the counting goes on.
    pub open: bool,
    pub minute_weight: i64,
    pub kill_weight: i64,
    /// How many others were there and found no room in the tally.
    pub turned_away: usize,
    /// Everybody who took part, by serial.
    pub members: Vec<MemberRow>,
}

/// One of them: `[serial, name, account, seconds, kills, score, firstMs]`. A list, so that 2,000 of them fit a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberRow(
    pub Serial,
    /// Empty of a character that is not there any more; its account too.
    pub String,
    pub String,
    pub u64,
    pub u32,
    /// A decimal of at most four digits.
    pub String,
    pub i64,
);
