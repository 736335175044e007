//! `module/ID`: what a game has declared of itself over a link, manifest by manifest. What was declared under a version stays so:
//! plans that were made by it can rest on it.

mod command;
mod decide;
mod event;
mod refusal;
mod signature;

pub use command::ModuleCommand;
pub use event::{ActionSignature, ModuleEvent};
pub use refusal::ModuleRefusal;

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How many manifests one scope may declare in an hour. A game that says something else at every hello would fill the log.
pub const DECLARATIONS_AN_HOUR: usize = 20;
/// The hour.
const HOUR: TimeDelta = TimeDelta::hours(1);

/// State of one module; the default is one that no game has declared.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Module {
    /// The digest of the manifest that was declared under each version.
    versions: BTreeMap<u32, String>,
    /// What each version of each action takes and does.
    signatures: BTreeMap<String, BTreeMap<u32, String>>,
    /// What the games of each scope declare now, by the manifest's digest.
    scopes: BTreeMap<String, String>,
    /// When each scope has declared something, as far as it bears on whether it may now.
    #[serde(default)]
    declared_at: BTreeMap<String, Vec<DateTime<Utc>>>,
    /// The manifests of these digests, and of the one that was declared last.
    manifests: BTreeMap<String, Map<String, Value>>,
    /// The manifest that was declared last, by its digest, and every scope in which one ever was.
    last: String,
    known: BTreeSet<String>,
}

impl Module {
    /// Scope by scope what its game declared last: the manifest's digest, and the manifest as it came.
    pub fn declared(&self) -> impl Iterator<Item = (&str, &str, &Map<String, Value>)> {
        let of = |(scope, digest)| {
            let (scope, digest): (&String, &String) = (scope, digest);
            Some((scope.as_str(), digest.as_str(), self.manifests.get(digest)?))
        };
        self.scopes.iter().filter_map(of)
    }

    /// The manifest that was declared last, also where it is withdrawn, and every scope in which this module ever was declared.
    pub fn last(&self) -> Option<(&Map<String, Value>, impl Iterator<Item = &str>)> {
        Some((self.manifests.get(&self.last)?, self.known.iter().map(String::as_str)))
    }

    /// The versions under which a manifest was declared, the newest last.
    pub fn versions(&self) -> impl Iterator<Item = (u32, &str)> {
        self.versions.iter().map(|(version, digest)| (*version, digest.as_str()))
    }
}

#[cfg(test)]
mod tests;
