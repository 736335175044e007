//! Player characters. Each keeps the cap that was in force when it was made.

use super::World;
use leasehold_link::wire::Serial;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A player character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Player {
    pub serial: Serial,
    pub name: String,
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

impl World {
    /// Puts an item into a character's pack; false where there is no such character.
    pub fn give(&mut self, serial: Serial, item: &str, amount: u32) -> bool {
        let Some(player) = self.players.get_mut(&serial) else { return false };
        let carried = player.pack.entry(item.to_owned()).or_default();
        *carried = carried.saturating_add(amount);
        true
    }

    /// Makes a character one of the staff, or no longer.
    pub fn set_staff(&mut self, name: &str, staff: bool) -> Option<&Player> {
        let player = self.players.values_mut().find(|player| player.name.eq_ignore_ascii_case(name))?;
        player.staff = staff;
        Some(player)
    }

    /// Makes a character.
    pub fn create_player(&mut self, player: Player, max_characters: usize, per_address: usize) -> Result<Player, CreateFault> {
        let Player { name, address, .. } = &player;
        if !(2..=16).contains(&name.len()) || !name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return Err(CreateFault::BadName);
        }
        if self.players().any(|other| other.name.eq_ignore_ascii_case(name)) {
            return Err(CreateFault::NameTaken(name.clone()));
        }
        if self.players.len() >= max_characters {
            return Err(CreateFault::TooMany(max_characters));
        }
        if let Some(address) = address
            && self.players().filter(|other| other.address.as_ref() == Some(address)).count() >= per_address
        {
            return Err(CreateFault::TooManyFromThere { address: address.clone(), allowed: per_address });
        }
        let player = Player { serial: self.take_serial(), ..player };
        self.players.insert(player.serial, player.clone());
        Ok(player)
    }
}
