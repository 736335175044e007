//! `action/ID`: what this deployment permits of one action. Without a row, the default of its risk class holds; rows
//! outlive their actions, so that a module that comes back finds its caps again.

mod command;
mod decide;
mod event;
mod refusal;

pub use command::SwitchCommand;
pub use event::SwitchEvent;
pub use refusal::SwitchRefusal;

use std::collections::BTreeMap;

use leasehold_module::Risk;
use serde::{Deserialize, Serialize};

/// What holds for one action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    pub enabled: bool,
    /// Most that one run may spend, by dimension; what is not named is not bounded.
    pub caps: BTreeMap<String, u64>,
}

/// State of one switch: the row that somebody stored, if anybody did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switchboard {
    stored: Option<Switch>,
}

impl Switchboard {
    pub fn stored(&self) -> Option<&Switch> {
        self.stored.as_ref()
    }

    /// The stored row, or the default: on, unless the action changes the world.
    pub fn effective(&self, risk: Risk) -> Switch {
        self.stored.clone().unwrap_or_else(|| Switch { enabled: !risk.changes_the_world(), caps: BTreeMap::new() })
    }
}

#[cfg(test)]
mod tests;
