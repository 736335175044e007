use std::collections::{BTreeMap, BTreeSet};

use leasehold_module::{Action, Lease, Manifest, Trigger, lease_parts};

use crate::zones::Zones;

/// The engine's action that borrows a value.
pub const LEASE_ACTION: &str = "core.lease";

/// What is registered at this moment: plain data, which the engine fills from its registry.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    pub actions: BTreeMap<String, Action>,
    pub leases: BTreeMap<String, Lease>,
    pub triggers: BTreeMap<String, Trigger>,
    pub budgets: BTreeSet<String>,
    pub modules: BTreeSet<String>,
    pub series: BTreeSet<String>,
    pub zones: Zones,
}

impl Facts {
    /// What these manifests declare.
    pub fn of<'a>(manifests: impl IntoIterator<Item = &'a Manifest>) -> Self {
        let mut facts = Self::default();
        for manifest in manifests {
            facts.modules.insert(manifest.id.clone());
            facts.actions.extend(manifest.actions.iter().map(|action| (action.id.clone(), action.clone())));
            facts.leases.extend(manifest.leases.iter().map(|lease| (lease.id.clone(), lease.clone())));
            facts.triggers.extend(manifest.triggers.iter().map(|trigger| (trigger.id.clone(), trigger.clone())));
            facts.budgets.extend(manifest.budgets.iter().map(|budget| budget.id.clone()));
        }
        facts
    }

    /// The lease that a plan names so: by its id, or as `ID@OBJECT`.
    pub fn lease(&self, named: &str) -> Option<&Lease> {
        self.leases.get(lease_parts(named).0).filter(|lease| lease.is_named(named))
    }
}
