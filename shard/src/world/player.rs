//! Player characters: whose they are, where they stand, and whether somebody plays them now.

use super::{LANDMARKS, Place, World};
use leasehold_link::wire::Serial;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How much a character takes before it dies.
const HITS: u32 = 100;

/// A player character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Player {
    pub serial: Serial,
    pub name: String,
    /// The account that it belongs to.
    #[serde(default)]
    pub acct: String,
    /// The sum that its skills may reach; read live from the configuration when the character is made.
    pub skill_cap: i64,
    pub stat_cap: i64,
    /// Where it was made from, if that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Of the staff: nothing of an event is given to it.
    #[serde(default)]
    pub staff: bool,
    /// What it carries, in pieces.
    #[serde(default)]
    pub pack: BTreeMap<String, u32>,
    /// Where it stands, also while nobody plays it.
    #[serde(default = "at_the_bank")]
    pub stands: Place,
    #[serde(default = "usual_hits")]
    pub hits: u32,
    /// Somebody plays it now. Not in the save: a start finds nobody connected.
    #[serde(skip)]
    pub online: bool,
}

/// What a new character is made from.
#[derive(Clone, Debug, Default)]
pub struct NewPlayer {
    pub name: String,
    pub skill_cap: i64,
    pub stat_cap: i64,
    pub address: Option<String>,
}

/// Why a character was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CreateFault {
    #[error("a name has 2 to 16 letters")]
    BadName,
    #[error("{0} is taken")]
    NameTaken(String),
    #[error("there are {0} characters already, and no more are allowed")]
    TooMany(usize),
    #[error("{address} has {allowed} accounts already, and no more are allowed")]
    TooManyFromThere { address: String, allowed: usize },
}

const fn usual_hits() -> u32 {
    HITS
}

const fn at_the_bank() -> Place {
    LANDMARKS[1].at()
}

impl Player {
    /// Online and alive.
    pub const fn is_there(&self) -> bool {
        self.online && self.hits > 0
    }

    pub const fn at(&self) -> Place {
        self.stands
    }
}

impl World {
    /// Puts an item into a character's pack; false where there is no such character.
    pub fn give(&mut self, serial: Serial, item: &str, amount: u32) -> bool {
        let Some(player) = self.players.get_mut(&serial) else { return false };
        let carried = player.pack.entry(item.to_owned()).or_default();
        *carried = carried.saturating_add(amount);
        true
    }

    /// The character of that name, in any case.
    pub fn player_named(&mut self, name: &str) -> Option<&mut Player> {
        self.players.values_mut().find(|player| player.name.eq_ignore_ascii_case(name))
    }

    /// Makes a character one of the staff, or no longer.
    pub fn set_staff(&mut self, name: &str, staff: bool) -> Option<&Player> {
        let player = self.player_named(name)?;
        player.staff = staff;
        Some(player)
    }

    /// A character comes to life again with all its hits, where it stands.
    pub fn revive(&mut self, serial: Serial) {
        if let Some(player) = self.players.get_mut(&serial) {
            player.hits = HITS;
        }
    }

    /// Makes a character.
    pub fn create_player(&mut self, new: NewPlayer, max_characters: usize, per_address: usize) -> Result<Player, CreateFault> {
        let NewPlayer { name, skill_cap, stat_cap, address } = new;
        if !(2..=16).contains(&name.len()) || !name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return Err(CreateFault::BadName);
        }
        if self.players().any(|other| other.name.eq_ignore_ascii_case(&name)) {
            return Err(CreateFault::NameTaken(name));
        }
        if self.players.len() >= max_characters {
            return Err(CreateFault::TooMany(max_characters));
        }
        if let Some(address) = &address
            && self.players().filter(|other| other.address.as_ref() == Some(address)).count() >= per_address
        {
            return Err(CreateFault::TooManyFromThere { address: address.clone(), allowed: per_address });
        }
        let (serial, acct) = (self.take_serial(), name.to_ascii_lowercase());
        let (staff, pack, stands, online) = (false, BTreeMap::new(), at_the_bank(), false);
        let player = Player { serial, name, acct, skill_cap, stat_cap, address, staff, pack, stands, hits: HITS, online };
        self.players.insert(serial, player.clone());
        Ok(player)
    }
}
