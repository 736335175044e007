//! What games have declared of themselves, beside the modules of this build.

use std::collections::BTreeSet;
use std::sync::Arc;

use leasehold_module::Module;

use super::{RefusedModule, Registry};

/// A module that a game has declared.
#[derive(Clone)]
pub struct LinkedModule {
    pub module: Arc<dyn Module>,
    /// What tells its manifest from every other.
    pub digest: String,
    /// Where its games are.
    pub scopes: Vec<String>,
}

/// All that games have declared, as it stands.
#[derive(Clone, Default)]
pub struct Linked {
    pub in_force: Vec<LinkedModule>,
    /// What was declared once and is no longer: nothing of it can be reached for, and what it made can still be taken back.
    pub retired: Vec<Arc<dyn Module>>,
    pub refused: Vec<RefusedModule>,
}

impl Registry {
    /// The modules of this build with these beside them, in place of those that were.
    #[must_use]
    pub fn with_linked(&self, linked: Linked) -> Self {
        let in_force = linked.in_force.iter().map(|linked| Arc::clone(&linked.module));
        let modules = Self::gathered(self.installed.iter().cloned().chain(in_force).collect(), &self.unlent);
        let (installed, left_out) = (self.installed.clone(), self.left_out.clone());
        Self { modules, installed, left_out, linked, unlent: self.unlent.clone(), zones: self.zones.clone() }
    }

    /// The same, where no game lends these leases.
    #[must_use]
    pub fn with_unlent(&self, unlent: BTreeSet<String>) -> Self {
        let (installed, left_out) = (self.installed.clone(), self.left_out.clone());
        let same =
            Self { modules: Vec::new(), installed, left_out, linked: Linked::default(), unlent, zones: self.zones.clone() };
        same.with_linked(self.linked.clone())
    }

    /// What no game lends.
    pub fn unlent(&self) -> &BTreeSet<String> {
        &self.unlent
    }

    /// What games have declared.
    pub fn linked(&self) -> &Linked {
        &self.linked
    }

    /// Every module that was left out, of this build and of games.
    pub fn refused(&self) -> impl Iterator<Item = &RefusedModule> {
        self.left_out.iter().chain(&self.linked.refused)
    }

    pub(super) fn retired(&self, id: &str) -> Option<&Arc<dyn Module>> {
        self.linked.retired.iter().find(|module| module.manifest().id == id)
    }
}
