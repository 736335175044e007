//! `definition/ID`: what may happen, in versions that never change. The draft beside it is a row that may be edited
//! freely; reading and judging one is here too.
//!
//! | state | who moves it on |
//! | --- | --- |
//! | `draft` | an admin who publishes (to `ready`) or archives |
//! | `ready` | an admin who archives; publishing again makes the next version |
//! | `archived` | nobody |

mod alter;
mod check;
mod check_gate;
mod check_lease;
mod check_params;
mod command;
mod content;
mod decide;
mod event;
mod facts;
mod publish;
mod read;
mod read_plan;
mod refusal;

pub use alter::{Alter, Whereabouts};
pub use command::DefinitionCommand;
pub use content::{Content, Draft, Venue};
pub use event::{DefinitionEvent, WithheldCause};
pub use facts::{Facts, LEASE_ACTION};
pub use publish::{ForRun, Publishable};
pub use read::reserved_slug;
pub use refusal::DefinitionRefusal;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schedule::{Altered, LocalDateTime};

/// State of one definition; the default is one that does not exist.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    slug: Option<String>,
    /// The newest version's number; 0 before the first.
    version: u64,
    current: Option<Box<Content>>,
    verified: BTreeSet<u64>,
    archived: bool,
    withheld: BTreeSet<(LocalDateTime, String, WithheldCause)>,
    altered: Altered,
}

/// Where a definition stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, strum::IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DefinitionState {
    Draft,
    /// A version is published, and its schedule is live.
    Ready,
    Archived,
}

impl Definition {
    pub fn exists(&self) -> bool {
        self.slug.is_some()
    }

    pub fn slug(&self) -> Option<&str> {
        self.slug.as_deref()
    }

    pub fn state(&self) -> DefinitionState {
        match (self.archived, &self.current) {
            (true, _) => DefinitionState::Archived,
            (false, Some(_)) => DefinitionState::Ready,
            (false, None) => DefinitionState::Draft,
        }
    }

    /// What people have changed of single occurrences.
    pub fn altered(&self) -> &Altered {
        &self.altered
    }

    /// The current version's number and content.
    pub fn current(&self) -> Option<(u64, &Content)> {
        self.current.as_deref().map(|content| (self.version, content))
    }

    /// Whether a dry run of this version has passed: what a start by schedule needs.
    pub fn is_verified(&self, version: u64) -> bool {
        self.verified.contains(&version)
    }
}

#[cfg(test)]
mod tests;
