//! May this action be invoked? One function: role, enablement, cost and cap.
//!
//! The runner asks without a role: the role was checked when a person published and started, and an unrelated change of
//! staff must not strand what is under way.

use std::collections::{BTreeMap, BTreeSet};

use leasehold_module::Risk;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::account::Role;
use crate::event::given;

/// What the engine knows of one action at this moment, from its registry and the switchboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionFacts {
    pub label: String,
    pub risk: Risk,
    pub version: u32,
    /// The stored switch, or the default of the risk class.
    pub enabled: bool,
    /// The dimensions that some budget declares.
    pub declared: BTreeSet<String>,
}

/// One dimension of a run's budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Meter {
    pub dimension: String,
    pub consumed: u64,
    /// `None`: nothing bounds it, and it is still counted.
    #[serde(deserialize_with = "given")]
    pub cap: Option<u64>,
    /// The action whose switch set the cap.
    #[serde(deserialize_with = "given")]
    pub cap_from: Option<String>,
}

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// A person with this role.
    Person(Role),
    /// The unattended runner.
    Runner,
}

/// Why an action may not be invoked. Nothing is wrong with the system: the deployment does not permit it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case", deny_unknown_fields)]
pub enum Denied {
    #[error("{action} changes the world, which takes the role admin")]
    RoleTooLow { action: String },
    #[error("{action} is switched off on this deployment; an admin can switch it on among the deployment's actions")]
    Disabled { action: String },
    #[error("{action} would spend {dimension}, which no module declares as a budget")]
    Undeclared { action: String, dimension: String },
    #[error("{action} needs {asked} of {dimension}, and {consumed} of {cap} are spent already")]
    OverCap { action: String, dimension: String, asked: u64, consumed: u64, cap: u64 },
    #[error("{target} is held by run {holder} until that run gives it back")]
    Held { target: String, holder: String },
}

impl Denied {
    pub fn code(&self) -> &'static str {
        match self {
            Self::RoleTooLow { .. } => "role_too_low",
            Self::Disabled { .. } => "action_disabled",
            Self::Undeclared { .. } => "undeclared",
            Self::OverCap { .. } => "over_cap",
            Self::Held { .. } => "held",
        }
    }
}

/// Decides whether `asker` may invoke an action that costs `cost`, against what a run has left.
///
/// With an empty `meters` the question is whether the cost could ever fit: caps are then taken from nowhere and only
/// role, switch and declarations count. A step that has paid already is asked with an empty cost.
pub fn may_invoke(asker: Asker, facts: &ActionFacts, cost: &BTreeMap<String, u64>, meters: &[Meter]) -> Result<(), Denied> {
    let label = || facts.label.clone();
    if let Asker::Person(role) = asker
        && facts.risk.changes_the_world()
        && role != Role::Admin
    {
        return Err(Denied::RoleTooLow { action: label() });
    }
    if !facts.enabled {
        return Err(Denied::Disabled { action: label() });
    }
    for (dimension, amount) in cost {
        if !facts.declared.contains(dimension) {
            return Err(Denied::Undeclared { action: label(), dimension: dimension.clone() });
        }
        let Some(meter) = meters.iter().find(|meter| &meter.dimension == dimension) else { continue };
        if let Some(cap) = meter.cap
            && meter.consumed.saturating_add(*amount) > cap
        {
            let (dimension, consumed) = (dimension.clone(), meter.consumed);
            return Err(Denied::OverCap { action: label(), dimension, asked: *amount, consumed, cap });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(risk: Risk, enabled: bool) -> ActionFacts {
        ActionFacts { label: "Light lamps".into(), risk, version: 1, enabled, declared: ["demo.lamps".to_owned()].into() }
    }

    fn cost(amount: u64) -> BTreeMap<String, u64> {
        BTreeMap::from([("demo.lamps".to_owned(), amount)])
    }

    fn meter(consumed: u64, cap: Option<u64>) -> Meter {
        Meter { dimension: "demo.lamps".into(), consumed, cap, cap_from: None }
    }

    #[test]
    fn the_last_unit_fits_and_the_next_does_not() {
        let on = facts(Risk::Change, true);
        assert_eq!(may_invoke(Asker::Runner, &on, &cost(2), &[meter(28, Some(30))]), Ok(()));
        let denied = may_invoke(Asker::Runner, &on, &cost(3), &[meter(28, Some(30))]).unwrap_err();
        assert_eq!(denied.code(), "over_cap");
        assert_eq!(denied.to_string(), "Light lamps needs 3 of demo.lamps, and 28 of 30 are spent already");
    }

    #[test]
    fn an_uncapped_dimension_is_not_bounded_and_cannot_overflow() {
        let on = facts(Risk::Change, true);
        assert_eq!(may_invoke(Asker::Runner, &on, &cost(u64::MAX), &[meter(9, None)]), Ok(()));
        assert!(may_invoke(Asker::Runner, &on, &cost(u64::MAX), &[meter(9, Some(10))]).is_err());
    }

    #[test]
    fn undeclared_is_told_apart_from_over_cap() {
        let mut on = facts(Risk::Change, true);
        on.declared.clear();
        assert_eq!(may_invoke(Asker::Runner, &on, &cost(1), &[]).unwrap_err().code(), "undeclared");
    }

    #[test]
    fn a_switch_that_is_off_stops_everybody_and_a_role_stops_only_people() {
        let off = facts(Risk::Notify, false);
        assert_eq!(may_invoke(Asker::Runner, &off, &cost(0), &[]).unwrap_err().code(), "action_disabled");
        let on = facts(Risk::Irreversible, true);
        assert_eq!(may_invoke(Asker::Person(Role::Editor), &on, &cost(1), &[]).unwrap_err().code(), "role_too_low");
        assert_eq!(may_invoke(Asker::Person(Role::Admin), &on, &cost(1), &[]), Ok(()));
        assert_eq!(may_invoke(Asker::Runner, &on, &cost(1), &[]), Ok(()));
        assert_eq!(may_invoke(Asker::Person(Role::Editor), &facts(Risk::Inspect, true), &cost(0), &[]), Ok(()));
    }
}
