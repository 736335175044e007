//! Games that declare themselves: what each one's hello says it offers is judged, recorded, and from then on can be reached for.
//!
//! Every engine looks for itself, and records under the same stream what is new; two that look at once record it once. What was
//! declared is there at the next start before the game is. A manifest that is not sound is refused with all of its reasons, and
//! harms nobody else: what the game had declared before cannot be reached for any more, and what it made is still taken back.

mod judge;
mod record;
mod watch;

pub use judge::sound;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use leasehold_module::{Manifest, Module, Offers};
use serde_json::{Map, Value};
use tokio::task::JoinHandle;

use super::leaders::Leaders;
use super::registry::{Linked, LinkedModule, RefusedModule};
use super::{Engine, Fault};

/// A manifest as a game has sent it.
#[derive(Debug, Clone, PartialEq)]
struct Sent {
    digest: String,
    manifest: Map<String, Value>,
}

/// What is known of every game.
pub struct Declarations {
    engine: Engine,
    offers: Arc<dyn Offers>,
    /// Scope by scope what its game said last, if it said anything.
    heard: BTreeMap<String, Sent>,
    /// Module by module where it is on record as declared.
    recorded: BTreeMap<String, BTreeSet<String>>,
    /// Whoever follows the feeds of what is in force, by module and scope.
    feeds: BTreeMap<(String, String), JoinHandle<()>>,
    /// What was heard has not been taken in yet.
    stale: bool,
    /// Module by module whose game has declared something else too often for now: what it declared last stays on record.
    held_back: BTreeSet<(String, String)>,
}

/// One manifest that is sound, and where it was sent.
struct Sound {
    manifest: Manifest,
    sent: Sent,
    scopes: Vec<String>,
}

impl Engine {
    /// Puts into force what was on record when the engine last ran. Games are asked from [`Declarations::watch`] on.
    pub async fn recall_declarations(&self, offers: Arc<dyn Offers>) -> Result<Declarations, Fault> {
        let mut declarations = Declarations {
            engine: self.clone(),
            offers,
            heard: BTreeMap::new(),
            recorded: BTreeMap::new(),
            feeds: BTreeMap::new(),
            stale: false,
            held_back: BTreeSet::new(),
        };
        declarations.recall().await?;
        declarations.settle().await?;
        Ok(declarations)
    }
}

impl Declarations {
    /// Takes in what was heard: judges it, records what is new, and has the engine reach for what is sound.
    async fn settle(&mut self) -> Result<(), Fault> {
        self.held_back.clear();
        let (sound, mut refused) = judge::judge(&self.heard, &self.engine.registry(), &*self.offers);
        let mut in_force = Vec::new();
        for sound in sound {
            let mut scopes = Vec::new();
            for scope in &sound.scopes {
                match self.declare(&sound, scope).await? {
                    None => scopes.push(scope.clone()),
                    Some(fault) => refused.push(RefusedModule {
                        id: sound.manifest.id.clone(),
                        scope: Some(scope.clone()),
                        faults: vec![fault],
                    }),
                }
            }
            if !scopes.is_empty() {
                let module = self.offers.module(sound.manifest, &scopes);
                in_force.push(LinkedModule { module, digest: sound.sent.digest, scopes });
            }
        }
        self.withdraw(&in_force).await?;
        let retired = self.retired(&in_force).await?;
        self.put_in_force(Linked { in_force, retired, refused });
        // Time alone may make that another answer.
        self.stale = !self.held_back.is_empty();
        Ok(())
    }

    fn put_in_force(&self, linked: Linked) {
        let before = self.engine.registry();
        for refused in linked.refused.iter().filter(|refused| !before.linked().refused.contains(refused)) {
            for fault in &refused.faults {
                tracing::error!(module = refused.id, scope = refused.scope, %fault, "a game's manifest is refused");
            }
        }
        let known = |linked: &LinkedModule| {
            let same = |other: &LinkedModule| other.digest == linked.digest && other.scopes == linked.scopes;
            before.linked().in_force.iter().any(same)
        };
        for linked in linked.in_force.iter().filter(|linked| !known(linked)) {
            let Manifest { id, version, .. } = linked.module.manifest();
            tracing::info!(module = id, version, digest = linked.digest, scopes = ?linked.scopes, "a game's manifest is in force");
        }
        self.engine.replace_registry(before.with_linked(linked));
    }

    /// The feeds of what is in force are followed, each by one task.
    fn follow_feeds(&mut self, leaders: &Leaders) {
        let registry = self.engine.registry();
        for linked in &registry.linked().in_force {
            let manifest = linked.module.manifest();
            for scope in linked.scopes.iter().filter(|_| !manifest.triggers.is_empty()) {
                let key = (manifest.id.clone(), scope.clone());
                if self.feeds.get(&key).is_none_or(JoinHandle::is_finished) {
                    let task = self.engine.follow_feed(&manifest.id, scope, leaders);
                    self.feeds.insert(key, task);
                }
            }
        }
    }

    /// What was declared once and is not now, so that what it made can be taken back.
    async fn retired(&self, in_force: &[LinkedModule]) -> Result<Vec<Arc<dyn Module>>, Fault> {
        let mut retired = Vec::new();
        for id in self.recorded.keys() {
            if in_force.iter().all(|linked| &linked.module.manifest().id != id)
                && let Some((manifest, scopes)) = self.declared_last(id).await?
            {
                retired.push(self.offers.module(manifest, &scopes));
            }
        }
        Ok(retired)
    }
}
