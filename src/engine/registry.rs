//! Everything that can be reached for: which module declares which action, lease, budget, option source and trigger; and the
//! rules of the time zones.

mod linked;

use std::collections::BTreeSet;
use std::sync::Arc;

use leasehold_aggregates::zones::Zones;
use leasehold_module::{Action, Budget, Choice, Lease, ManifestFault, Module, OptionSource, Trigger, lease_parts};

use super::core::{CORE, Core};
use super::signals::Own;
use super::signals::own::EVENT;

pub use linked::{Linked, LinkedModule};

/// The modules whose declarations hold, the engine's own first.
///
/// Every id begins with its module's id and a dot, and module ids are unique and without dots, so an id leads to one
/// module alone.
pub struct Registry {
    modules: Vec<Arc<dyn Module>>,
    /// Those of this build that are sound.
    installed: Vec<Arc<dyn Module>>,
    /// Those of this build that are not.
    left_out: Vec<RefusedModule>,
    linked: Linked,
    /// Leases that no game of any scope lends now: they cannot be planned with, and what was borrowed is still put back.
    unlent: BTreeSet<String>,
    zones: Zones,
}

/// A module that was left out, with every fault of its manifest. The others are unharmed; steps that name its actions
/// are dormant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedModule {
    pub id: String,
    /// Where the game is that has sent it; none for a module of this build.
    pub scope: Option<String>,
    pub faults: Vec<ManifestFault>,
}

/// Two modules with one id: nobody can say which of them an action means, so no registry is made of them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("two modules are called {id:?}; each installed module needs an id of its own, and core and event are the engine's")]
pub struct SameModuleTwice {
    pub id: String,
}

impl Registry {
    /// Registers the engine's own module and every one of `modules` whose manifest is sound; see [`Self::refused`] for
    /// the rest.
    pub fn new(modules: Vec<Arc<dyn Module>>) -> Result<Self, SameModuleTwice> {
        let mut ids = BTreeSet::from([CORE.to_owned(), EVENT.to_owned()]);
        let mut installed = Vec::new();
        let mut left_out = Vec::new();
        for module in modules {
            let manifest = module.manifest();
            if !ids.insert(manifest.id.clone()) {
                return Err(SameModuleTwice { id: manifest.id.clone() });
            }
            let mut faults = manifest.faults();
            if faults.is_empty() {
                faults = manifest.hasty(module.waits_ms());
            }
            if faults.is_empty() {
                installed.push(module);
            } else {
                left_out.push(RefusedModule { id: manifest.id.clone(), scope: None, faults });
            }
        }
        let unlent = BTreeSet::new();
        let modules = Self::gathered(installed.clone(), &unlent);
        Ok(Self { modules, installed, left_out, linked: Linked::default(), unlent, zones: Zones::default() })
    }

    /// These modules, with the engine's own in front.
    fn gathered(mut modules: Vec<Arc<dyn Module>>, unlent: &BTreeSet<String>) -> Vec<Arc<dyn Module>> {
        let leases = modules.iter().flat_map(|module| &module.manifest().leases).filter(|lease| !unlent.contains(&lease.id));
        let core = Core::new(leases.map(choice_of).collect());
        modules.insert(0, Arc::new(core));
        modules.insert(1, Arc::new(Own::default()));
        modules
    }

    /// Whether a module of this build has that id, sound or not.
    pub fn is_installed(&self, id: &str) -> bool {
        let mut installed = self.installed.iter().map(|module| module.manifest().id.as_str());
        installed.any(|known| known == id) || self.left_out.iter().any(|refused| refused.id == id)
    }

    /// With these zones in place of the compiled-in ones.
    #[must_use]
    pub fn with_zones(self, zones: Zones) -> Self {
        Self { zones, ..self }
    }

    pub fn zones(&self) -> &Zones {
        &self.zones
    }

    pub fn modules(&self) -> &[Arc<dyn Module>] {
        &self.modules
    }

    /// The module of that id; also one that can no longer be reached for, for what it has made.
    pub fn module(&self, id: &str) -> Option<&Arc<dyn Module>> {
        self.modules.iter().find(|module| module.manifest().id == id).or_else(|| self.retired(id))
    }

    /// The module's id as a metric's label: that of a module that is not installed is `missing`.
    pub fn label(&self, id: &str) -> &str {
        self.module(id).map_or("missing", |module| &module.manifest().id)
    }

    pub fn action(&self, id: &str) -> Option<(&Action, &Arc<dyn Module>)> {
        let module = self.declaring(id)?;
        Some((module.manifest().action(id)?, module))
    }

    /// Whether some game lends it, as far as is known.
    pub fn is_lent(&self, lease: &str) -> bool {
        !self.unlent.contains(lease_parts(lease).0)
    }

    pub fn lease(&self, id: &str) -> Option<(&Lease, &Arc<dyn Module>)> {
        let module = self.declaring(id)?;
        Some((module.manifest().lease(id)?, module))
    }

    pub fn budget(&self, id: &str) -> Option<&Budget> {
        self.declaring(id)?.manifest().budgets.iter().find(|budget| budget.id == id)
    }

    pub fn option_source(&self, id: &str) -> Option<(&OptionSource, &Arc<dyn Module>)> {
        let module = self.declaring(id)?;
        Some((module.manifest().option_sources.iter().find(|source| source.id == id)?, module))
    }

    pub fn trigger(&self, id: &str) -> Option<(&Trigger, &Arc<dyn Module>)> {
        let module = self.declaring(id)?;
        Some((module.manifest().triggers.iter().find(|trigger| trigger.id == id)?, module))
    }

    /// The ids of every trigger that is declared.
    pub fn triggers(&self) -> BTreeSet<String> {
        self.modules.iter().flat_map(|module| &module.manifest().triggers).map(|trigger| trigger.id.clone()).collect()
    }

    /// Every action, by id.
    pub fn actions(&self) -> Vec<&Action> {
        let mut actions: Vec<_> = self.modules.iter().flat_map(|module| &module.manifest().actions).collect();
        actions.sort_by(|a, b| a.id.cmp(&b.id));
        actions
    }

    /// Every dimension that some budget declares.
    pub fn dimensions(&self) -> BTreeSet<String> {
        self.modules.iter().flat_map(|module| &module.manifest().budgets).map(|budget| budget.id.clone()).collect()
    }

    /// The budgets that an action may draw on, by id: those its cost terms name, whether or not a given step pays them.
    pub fn dimensions_of(&self, action: &Action) -> Vec<&Budget> {
        let ids: BTreeSet<_> = action.cost.iter().map(|term| term.dimension.as_str()).collect();
        ids.into_iter().filter_map(|id| self.budget(id)).collect()
    }

    fn declaring(&self, id: &str) -> Option<&Arc<dyn Module>> {
        let id = id.split_once('.')?.0;
        self.modules.iter().find(|module| module.manifest().id == id)
    }
}

/// A value to choose; of many alike, the beginning of its name, behind which somebody writes of which it is.
fn choice_of(lease: &Lease) -> Choice {
    match &lease.object {
        None => Choice::new(&lease.id, &lease.label),
        Some(object) => {
            let label = format!("{} ({} behind the @, as in {}@{})", lease.label, object.label, lease.id, object.example);
            Choice::new(format!("{}@", lease.id), label)
        }
    }
}

#[cfg(test)]
mod tests;
