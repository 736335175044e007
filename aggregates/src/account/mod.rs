//! `account/ID`: a role, whether it may log in at all, and which tokens it has.

mod command;
mod decide;
mod event;
mod refusal;
mod role;

pub use command::AccountCommand;
pub use event::AccountEvent;
pub use refusal::AccountRefusal;
pub use role::Role;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// State of one account; the default is one that does not exist.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    role: Option<Role>,
    disabled: bool,
    tokens: BTreeSet<String>,
    revoked: BTreeSet<String>,
    erased: bool,
    /// Members of events that are its person.
    #[serde(default)]
    members: BTreeSet<Uuid>,
}

impl Account {
    pub fn exists(&self) -> bool {
        self.role.is_some()
    }

    /// The role of an enabled account; `None` for one that is disabled or does not exist.
    pub fn acts_as(&self) -> Option<Role> {
        self.role.filter(|_| !self.disabled)
    }

    pub fn role(&self) -> Option<Role> {
        self.role
    }

    pub fn disabled(&self) -> bool {
        self.disabled
    }

    /// Whether the person's traces were blanked; for good.
    pub fn erased(&self) -> bool {
        self.erased
    }

    /// Ids of the tokens that work as long as the account is enabled.
    pub fn tokens(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().map(String::as_str)
    }
}

#[cfg(test)]
mod tests;
