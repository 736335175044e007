//! The bodies of the verbs that place, open, give, save and post. Like those of [`super::command`], without `kind` and `reqId`.

use super::{Serial, Stamp};
use serde::{Deserialize, Serialize};

/// `world.npc`: a person who greets whoever comes near, and answers to words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaceNpc {
    pub map: String,
    pub x: i32,
    pub y: i32,
    /// 1 to 40 characters.
    pub name: String,
    /// Colour, 0 to 3000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hue: Option<u16>,
    /// Said to whoever comes near; 1 to 200 characters.
    pub greeting: String,
    /// What it answers to which word; at most 5.
    #[serde(default)]
    pub lines: Vec<NpcLine>,
    #[serde(flatten)]
    pub stamp: Stamp,
}

/// One answer of a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NpcLine {
    /// The word it listens for; 1 to 40 characters, in any case.
    pub keyword: String,
    /// What it then says; 1 to 200 characters.
    pub text: String,
}

/// `world.gate`: two ends on one facet, open until a deadline that the game keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenGate {
    pub map: String,
    pub x: i32,
    pub y: i32,
    /// Where it leads; the same facet as `map`.
    pub to_map: String,
    pub to_x: i32,
    pub to_y: i32,
    /// How long it stands open, in milliseconds from when it opens; 1 to 4 hours.
    pub open_ms: u64,
    /// Colour, 0 to 3000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hue: Option<u16>,
    #[serde(flatten)]
    pub stamp: Stamp,
}

/// `world.decorate`: one decorative object of the game's own vocabulary. Never one that can hold things.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Decorate {
    pub map: String,
    pub x: i32,
    pub y: i32,
    /// A name of the vocabulary.
    pub item: String,
    /// Which look of it, by the number of its graphic; the first one where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graphic: Option<u32>,
    /// Colour, 0 to 3000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hue: Option<u16>,
    #[serde(flatten)]
    pub stamp: Stamp,
}

/// `world.grant`: an item into the packs of characters. It cannot be taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Grant {
    /// A name of the list of what may be granted.
    pub item: String,
    /// Pieces for each character, 1 to 100; 1 where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<u32>,
    /// Serials of characters, 1 to 200, each once; none where `participants` says who.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recipients: Vec<Serial>,
    /// Those who took part in the run, by its tally.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub participants: Option<ToParticipants>,
    #[serde(flatten)]
    pub stamp: Stamp,
}

/// Which of those who took part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToParticipants {
    /// At least that score; a decimal as text. Everybody where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_score: Option<String>,
    /// At most so many, 1 to 200: more is refused, and nobody gets anything.
    pub most: usize,
}

/// `world.save`: writes the world to disk, unless it was written less than 300 seconds ago.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaveWorld {
    #[serde(flatten)]
    pub stamp: Stamp,
}

/// `towncrier.post`: lines that the criers cry in turn. The same `notice` again takes the place of the earlier lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostCrier {
    /// 1 to 64 bytes; belongs to the run.
    pub notice: String,
    /// 1 to 5, each of 1 to 200 characters.
    pub lines: Vec<String>,
    /// How long, in milliseconds; 1 to 24 hours. The game ends it by itself.
    pub for_ms: u64,
    #[serde(flatten)]
    pub stamp: Stamp,
}

/// `news.post`: an article on the news board. The same `notice` again takes the place of the earlier article.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostNews {
    /// 1 to 64 bytes; belongs to the run.
    pub notice: String,
    /// 1 to 80 characters.
    pub title: String,
    /// 1 to 4000 characters; lines may be broken.
    pub text: String,
    #[serde(flatten)]
    pub stamp: Stamp,
}

/// The answer to whatever makes one object: `world.npc.ok`, `world.decorate.ok`, `towncrier.ok`, `news.ok`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    pub serial: Serial,
}

/// `world.gate.ok`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GateOpened {
    /// Both ends.
    pub serials: Vec<Serial>,
    /// When the game closes it, by the game's clock, in milliseconds since 1970.
    pub until_ms: i64,
}

/// `world.grant.ok`: every recipient in exactly one of two lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Granted {
    pub granted: Vec<Serial>,
    /// No such character any more.
    pub missed: Vec<Serial>,
}

/// `world.save.ok`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorldSaved {
    pub creatures: usize,
    pub objects: usize,
    pub players: usize,
}
